"""PostgreSQL: sessions, applying DDL, slots, the ledger."""
