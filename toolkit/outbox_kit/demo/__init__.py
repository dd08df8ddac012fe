"""The demonstration: a small shop on a real stack, from an empty folder to a verdict."""
