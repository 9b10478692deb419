"""Frozen sessions: facts that never change, and HTML made from them that can be rebuilt."""
