"""Moments as text. Pure."""

from datetime import UTC, datetime


def moment(milliseconds: float, form: str = "%Y-%m-%d %H:%M:%S.%f+00:00") -> str:
    """A moment in UTC; one that the calendar of Python does not have as a number.

    milliseconds: since 1970. form: see datetime.strftime; of fractions of a second three digits are kept.
    """
    try:
        at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError, OSError):  # before the year 1, or after 9999
        return f"{milliseconds:.0f} ms since 1970"
    return at.strftime(form.replace("%f", f"{at.microsecond // 1000:03}"))
