"""Model in, files out. Pure: the same schema file gives the same bytes."""
