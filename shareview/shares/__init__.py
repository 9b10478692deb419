"""Links to frozen sessions: who may read what, until when, and how a link ends."""
