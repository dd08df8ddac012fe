"""Values that are never printed, from the moment they are read: passwords, tokens, keys, whole addresses that hold one.

A `Secret` prints as `***`. Every value that was read as a secret is also remembered for the process, so that `hidden`
takes it out of any text: a driver's message, a traceback, a report. Two nets lie behind that one, for values that
nobody has read as secrets: options are known by their names (`named`), and addresses by their form (`hidden`).
"""

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus, unquote

from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.printable import LONE

HIDDEN = "***"

# words in the name of an option whose value is a secret
WORDS = (
    r"password|passphrase|passwd|pwd|secret|token|credential|jaas|user[._\-]?info|authorization|oauthbearer[._\-]config|"
    r"(?:api|access|account|private|encryption|shared|master|signing|subscription)[._\-]?key|ssl[._\-]key|"
    r"keystore[._\-](?:key|certificate)|truststore[._\-]certificates"
)
# and at its end, where nothing else is known of the option
_LAST = r"(?:^|[._\-])(?:key|auth|pass|pin|cookie|signature|salt|cert|certificate|pem|dsn|webhook|license)$"
_NAMED = lazy_pattern(rf"(?i){WORDS}")
_LIKELY = lazy_pattern(rf"(?i){WORDS}|{_LAST}")
# what such a name ends in where the value only says where the secret is, or how it is used
_ABOUT = lazy_pattern(r"(?i)[._\-](?:source|class|provider|location|endpoint|path|file|type|enabled?|ms|algorithm)$")
_CONNECTION = lazy_pattern(r"(?i)connection[._\-]?string$")
_PLAIN_URL = lazy_pattern(r"\w[\w+.\-]*://[^@]*")
_REFERENCES = lazy_pattern(r"\s*(?:\$\{[^{}]*\}\s*)+")

# `scheme://user:password@`; the password may hold a bare `@` or `/`, and is shown if it is only a reference
_USERINFO = lazy_pattern(
    r"(\w://[^\s:@/\"'<>]{0,200}:)(?!\$\{[\w.:/\-]{1,200}\}@[^\s\"'<>@]{0,500}(?:[\s\"'<>]|$))[^\s\"'<>]{0,500}@"
)
_IN_ADDRESS = lazy_pattern(r"""(?i)\b((?:ssl)?password|passwd|pwd)\s*=\s*('(?:\\.|[^'\\])*'|[^\s'"&;,]+)""")

_IN_QUERY = lazy_pattern(r"[?&]([^=&#\s]+)=([^&#\s]+)")

SHORT = 4  # characters; a shorter value is in every second word
LONG = 12  # a value of one kind of characters may be a common word, or a number, unless it is so long
A_LINE = 16  # of a key that has several

_secrets: dict[str, None] = {}


class Secret:
    """A value that prints as `***`; `reveal` gives it to the library that needs it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        remember(value)
        self._value = readable(value, "a password or token")

    def reveal(self) -> str:
        """The value itself."""
        return self._value

    def __str__(self) -> str:
        return HIDDEN

    __repr__ = __str__

    def __format__(self, _: str) -> str:
        return HIDDEN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return self._value == (other._value if isinstance(other, Secret) else other)

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[type["Secret"], tuple[str]]:
        return Secret, (self._value,)  # another process remembers it too


def revealed(value: "str | Secret") -> str:
    """A value that may be a secret, as it is."""
    return value.reveal() if isinstance(value, Secret) else value


def remember(value: str) -> None:
    """Take a value out of everything that `hidden` is given from now on.

    Not of a common word or a number: where `test` is a password, a topic may be called so too. Where such a value
    would stand, it is left out by the name or the form of what holds it.
    """
    for form in [value, value.strip(), *(line.strip() for line in value.splitlines() if len(line) >= A_LINE)]:
        if _telling(form):
            _secrets.update(dict.fromkeys(_forms(form)))


def remember_basic(user: str, password: str) -> None:
    """The same for user and password as HTTP sends them."""
    remember(password)
    remember(base64.b64encode(f"{user}:{password}".encode(errors="surrogatepass")).decode())


def remember_address(address: str) -> None:
    """The same for the password in a database's or a service's address, however it is spelled, and for the whole."""
    values = [text.strip("'") for _, text in _IN_ADDRESS.findall(address)]
    userinfo = address.partition("://")[2].rpartition("@")[0]
    if ":" in userinfo:
        values.append(userinfo.partition(":")[2])
    for text in filter(None, [*values, *_in_query(address)]):
        remember(text)
        remember(unquote(text))
    if any(values):
        remember(address)


def hidden(text: str) -> str:
    """A text without secrets: those that are known, and what stands where an address has its password."""
    text = _USERINFO.sub(rf"\1{HIDDEN}@", text)
    for secret in sorted(_secrets, key=len, reverse=True):  # of a copy: another thread may remember one meanwhile
        text = text.replace(secret, HIDDEN)
    return text


def spelled(address: str) -> bool:
    """Whether an address spells a password out, whatever it is the address of."""
    return bool(_IN_ADDRESS.search(address) or _in_query(address))


def _in_query(address: str) -> list[str]:
    """The secrets among the options of an address."""
    return [value for name, value in _IN_QUERY.findall(address) if names_secret(name, unknown=True)]


def readable(text: str, label: str) -> str:
    """A text that was given in the environment or in the command line. Raises UsageProblem where it is no UTF-8."""
    if LONE.search(text):
        raise UsageProblem(f"{label} is not text in UTF-8", fix="set it in a terminal that speaks UTF-8")
    return text


def names_secret(option: str, *, unknown: bool = False) -> bool:
    """Whether an option holds a secret, by its name. unknown: nothing else is known of it."""
    return bool((_LIKELY if unknown else _NAMED).search(option)) and not _ABOUT.search(option)


def connects(option: str, value: str) -> bool:
    """Whether an option is a connection string that may hold a secret: not where it is a URL without a user."""
    plain = _PLAIN_URL.fullmatch(value) and not _IN_ADDRESS.search(value)
    return bool(_CONNECTION.search(option)) and not plain


def refers(value: str) -> bool:
    """Whether a value is a reference that another program resolves, such as `${env:NAME}`, and nothing else."""
    return bool(_REFERENCES.fullmatch(value))


def shown(value: str, *, secret: bool) -> str:
    """An option's value for display. secret: whether it is one; a reference to one, and nothing else, is shown."""
    if secret:
        return value if refers(value) or not value else HIDDEN
    return _IN_ADDRESS.sub(rf"\1={HIDDEN}", hidden(value))


def forget() -> None:
    """Forget every value: for tests."""
    _secrets.clear()


def _telling(value: str) -> bool:
    """Whether a text can hardly be anything but the secret."""
    return len(value) >= (LONG if value.isalpha() or value.isdigit() else SHORT)


def _forms(value: str) -> Iterator[str]:
    """A value as it may stand in a text: percent-encoded, or escaped as in JSON, Python, SQL, HTML."""
    octets = value.encode(errors="surrogatepass")
    escaped = quote(octets, safe=""), quote(octets), quote_plus(octets), html.escape(value), value.replace("'", "''")
    yield from (
        value,
        *escaped,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        repr(value)[1:-1],
    )
