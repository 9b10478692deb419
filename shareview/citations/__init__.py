"""Citations: what a turn retrieved, what its answer cites, and which of it bears out. No Django here."""
