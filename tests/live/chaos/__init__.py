"""Tests that kill and freeze services: on a stack of their own, so that nobody else meets it."""
