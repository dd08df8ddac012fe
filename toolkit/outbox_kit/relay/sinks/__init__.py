"""What a relay publishes to: a module for each sink, which answers `relay.interface.Sink`."""
