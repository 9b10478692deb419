"""The OpenAPI description, where it must say more than types do."""

from typing import Any

from shareview.api.problems import MEDIA_TYPE


def upload_body() -> dict[str, Any]:
    """A body that is a file."""
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "description": "a session export, JSON Lines", "content": content}}


def describe(schema: Any) -> Any:
    """``schema`` with problems under their own media type."""
    for methods in schema["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                content = answer.get("content", {})
                if int(status) >= 400 and "application/json" in content:
                    content[MEDIA_TYPE] = content.pop("application/json")
            # Said by the server itself, before anything of ours is asked.
            operation["responses"][414] = {"description": "URI Too Long"}
    return schema
