"""The offline linter: rules for a schema file or for any connector config."""
