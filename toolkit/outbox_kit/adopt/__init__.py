"""From the catalogue of a live database to outbox tables, findings about them, and a proposed schema file."""
