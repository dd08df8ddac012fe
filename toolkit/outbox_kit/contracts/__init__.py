"""The contract for those who read the events: AsyncAPI and JSON Schemas, from the schema file."""
