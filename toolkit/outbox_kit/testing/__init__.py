"""For a team's own tests: the events that arrive while a test runs, held against the contract."""
