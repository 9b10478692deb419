"""The producers' door: a chat back end freezes sessions, publishes them, and ends links."""
