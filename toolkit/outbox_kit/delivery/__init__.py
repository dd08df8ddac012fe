"""How an outbox's events get to Kafka, and how far they are: one interface, and a package for each implementation."""
