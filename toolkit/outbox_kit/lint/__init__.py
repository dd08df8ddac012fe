"""Findings without a world: what is wrong with a schema file or with anybody's connector config, read offline."""
