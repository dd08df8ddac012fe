"""The kinds of tables with old rows, a module each with a value `KIND`."""
