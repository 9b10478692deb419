"""Finding words in what a share shows: the same words on every database."""
