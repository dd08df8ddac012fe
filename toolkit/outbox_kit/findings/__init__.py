"""Rules, findings and reports: the same for every command that judges something."""
