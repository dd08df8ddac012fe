"""What Debezium and Connect know: their options as data, and what the router does to a row."""
