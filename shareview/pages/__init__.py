"""The readers' door: a share as a page, its fragments and exports, and what is said where nothing is shown."""
