"""Hand an outbox over from a connector to a relay and back, which read one replication slot in turn."""
