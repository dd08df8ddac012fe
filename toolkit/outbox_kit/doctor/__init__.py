"""Questions to a running system: is the outbox's way from the database to Kafka really open."""
