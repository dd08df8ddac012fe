"""A sample row shown as the message it will be: rows for the router's model, and its answers in words."""
