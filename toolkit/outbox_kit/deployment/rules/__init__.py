"""The rules of `plan`, a module for each group."""
