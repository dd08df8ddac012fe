"""The deployment of connectors: the plan, its rules and its report, and how it is carried out and restored."""
