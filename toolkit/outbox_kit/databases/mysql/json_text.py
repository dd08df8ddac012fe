"""A document of MySQL's type `json` as the connector writes it. Pure.

The server keeps no text. The connector writes a text of its own from the log's binary form: without blanks, and numbers
of floating point in full where Java would write an exponent. Of what SQL functions have put into a document (DECIMAL,
dates, bytes) the server's text does not say the type: these are written as the same number, or as the server does.
"""

import re
from decimal import Decimal

from outbox_kit.router import javatext

TOKEN = re.compile(rb'("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([,:]) ', re.DOTALL)
ESCAPED = re.compile(rb"\\(?:u[0-9a-f]{4}|.)")


def connector_text(text: bytes) -> bytes:
    """The connector's text of a document that the server writes as `text`."""
    return TOKEN.sub(_token, text)


def _token(match: re.Match[bytes]) -> bytes:
    string, number, separator = match.groups()
    if string is not None:
        return ESCAPED.sub(_escape, string) if b"\\u" in string else bytes(string)
    return bytes(separator) if separator is not None else _number(bytes(number))


def _escape(match: re.Match[bytes]) -> bytes:
    escape = bytes(match[0])
    return b"\\u" + escape[2:].upper() if escape[1:2] == b"u" else escape


def _number(text: bytes) -> bytes:
    """A whole number as it is; another one as Java writes it, or with all of its digits in place of an exponent."""
    if text.lstrip(b"-").isdigit():
        return text
    value = float(text)
    shortest = javatext.double(value)
    return (f"{Decimal(value):f}" if "E" in shortest else shortest).encode()
