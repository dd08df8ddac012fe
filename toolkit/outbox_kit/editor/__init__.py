"""`check` in an editor: remarks, corrections and explanations of a text that is being written."""
