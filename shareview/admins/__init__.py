"""The admins' door: shares listed, changed and ended; what was done, and by whom."""
