"""Collector about a running stream: does every event arrive where, as and in the order it should, and none get lost."""
