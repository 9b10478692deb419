"""Quotes: the visible text of a message, passages found in it again, and where a quote may lead."""
