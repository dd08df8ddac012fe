"""Moments as text. Pure."""

from datetime import UTC, datetime


def calendar(milliseconds: float) -> datetime | None:
    """A moment in UTC; None before the year 1, or after 9999. milliseconds: since 1970."""
    try:
        return datetime.fromtimestamp(milliseconds // 1000, UTC).replace(microsecond=int(milliseconds % 1000 * 1000))
    except (OverflowError, ValueError, OSError):
        return None


def moment(milliseconds: float, form: str = "%Y-%m-%d %H:%M:%S.%f+00:00") -> str:
    """A moment in UTC; one that the calendar of Python does not have as a number.

    milliseconds: since 1970. form: see datetime.strftime; of fractions of a second three digits are kept.
    """
    at = calendar(milliseconds)
    if at is None:
        return f"{milliseconds:.0f} ms since 1970"
    return at.strftime(form.replace("%f", f"{at.microsecond // 1000:03}"))
