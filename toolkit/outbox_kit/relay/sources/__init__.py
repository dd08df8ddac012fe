"""What a relay reads: a module for each source, which answers `relay.interface.Source`."""
