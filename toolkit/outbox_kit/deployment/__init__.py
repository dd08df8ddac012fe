"""The plan of connectors: its rules and its report."""
