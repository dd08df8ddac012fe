"""Two schema files compared: does the change break those who read the events."""
