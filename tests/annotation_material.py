"""An answer with its claims and evidence, to annotate and to judge."""

from model_server import ModelServer

from shareview.annotation.openai_models import OpenAIModel
from shareview.chat.artifacts import EvidenceBlock
from shareview.citations.claims import split_claims

ANSWER = "The agent loop runs outside the VM. Local servers run on the host."
SPANS = split_claims(ANSWER)


def block(id: str, text: str, document: str = "doc", title: str = "Title") -> EvidenceBlock:
    return EvidenceBlock(id, document, title, "", "https://docs.example/", "", text)


EVIDENCE = (
    block("b1", "The agent loop now runs outside of the VM; code stays inside."),
    block("b2", "Local MCP servers run on the host, next to the client."),
)


def model_of(server: ModelServer, api_key: str = "") -> OpenAIModel:
    model = OpenAIModel(server.url, api_key, "tested")
    server.close_with.append(model.close)
    return model
