"""The time between two check-backs of a message. Pure."""

FIRST_SECONDS, MOST_SECONDS = 3.0, 300.0
"""After the first check-back, and the most after any: a doubling without a limit reaches a year after 22 of them."""
LEAST_SHARE = 0.5


def delay_seconds(attempt: int, share: float) -> float:
    """The time until the next check-back, in seconds: doubled each time up to a limit, and a random part of that.

    attempt: the number of the last one, from 1. share: a random number from 0 to 1, so that the messages of a service
    that was down do not come all at once.
    """
    whole = min(MOST_SECONDS, FIRST_SECONDS * 2.0 ** min(attempt - 1, 30))
    return whole * (LEAST_SHARE + (1 - LEAST_SHARE) * share)
