"""Random outboxes, what happens to their messages, and the verdict that is right."""
