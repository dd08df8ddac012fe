"""The model of the router against the real one, in the test's own JVM."""
