"""The removal of rows that are published and old."""
