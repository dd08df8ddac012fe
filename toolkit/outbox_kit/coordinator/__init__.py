"""Two-phase messages, for services whose database has no outbox: an HTTP server that stores them in an outbox."""
