"""Rules, schema file keys and connector options in words, for a terminal and for the reference pages."""
