"""A live database's catalogue in; out what looks like an outbox, what is in the way, and the schema file for it."""
