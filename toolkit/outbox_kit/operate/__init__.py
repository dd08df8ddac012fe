"""Operating an outbox: what is done to it regularly, and what is exercised."""
