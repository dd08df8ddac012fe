"""Operation of an outbox that runs: what is done again and again, and what is exercised."""
