"""What tests of several rings share: servers, records, schema files, compilers, waiting."""
