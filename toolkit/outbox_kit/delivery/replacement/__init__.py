"""The change from a connector to another one with a replication slot of its own, with a trial before it."""
