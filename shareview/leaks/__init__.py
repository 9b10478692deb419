"""Leaks: secrets and personal data in a text, found before it is shown to strangers. No Django here."""
