"""For how long a two-phase message is checked back. Pure data."""

CHECK_DAYS = 7
"""Days after `prepare` for which a coordinator checks back. Rows of a barrier must be kept for longer."""
