"""Hand an outbox over from a connector to a relay and back, by its slot, its stored offset, or the table."""
