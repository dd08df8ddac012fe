"""What the user means: the schema file's model, how it is read, and the names that follow from it."""
