"""The drills, a module each, found by listing. Each disturbs a local outbox, and repairs it by the runbook."""
