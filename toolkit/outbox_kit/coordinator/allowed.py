"""Which addresses the coordinator may call. Pure.

A client names the address of its check-back, so without a list it can make the coordinator send a request to any
address that the coordinator reaches. The parts of an address are compared, as `check_back` uses them, not the text.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from outbox_kit import address
from outbox_kit.coordinator.problems import InvalidRequest
from outbox_kit.errors import UsageProblem

PORTS = {"http": 80, "https": 443}
OPTION = "--allow-check-back"


@dataclass(frozen=True)
class AllowedAddress:
    """A server whose addresses below a path may be called."""

    scheme: str
    host: str
    """In lower case; an IP address in its shortest form."""
    port: int
    path: tuple[str, ...]
    """The parts of the path, without escapes; empty for all paths."""


def allowed(prefix: str) -> AllowedAddress:
    """The value of an option. Raises UsageProblem."""
    parts = address.http(prefix)
    path = None if parts is None or "@" in parts.netloc else _path(parts.path)
    if parts is None or path is None:
        raise UsageProblem(
            f"invalid {OPTION} '{prefix}': expected http://HOST[:PORT][/PATH] or https://HOST[:PORT][/PATH]",
            fix="name the server as clients name it, without a user, and without parts such as '..' in the path",
        )
    return AllowedAddress(parts.scheme, *_server(prefix), path)


def permits(addresses: Sequence[AllowedAddress], url: str) -> bool:
    """Whether a valid URL may be called: any, if no addresses are given."""
    if not addresses:
        return True
    parts = urlsplit(url)
    server, path = (parts.scheme, *_server(url)), _path(parts.path)
    return path is not None and any(
        (each.scheme, each.host, each.port) == server and path[: len(each.path)] == each.path for each in addresses
    )


def expect_permitted(addresses: Sequence[AllowedAddress], url: str, name: str) -> None:
    """Raise InvalidRequest for the URL of a check-back that may not be called. name: of its field."""
    if not permits(addresses, url):
        raise InvalidRequest(
            f"invalid '{name}': this coordinator may not call {origin(url)}, or not this path of it",
            fix=f"name an address that the coordinator was started with: {OPTION}",
        )


def origin(url: str) -> str:
    """Scheme, host and port of a URL, as it is written."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _server(url: str) -> tuple[str, int]:
    """Host and port that a connection would have."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    with suppress(ValueError):  # it is a name
        host = ip_address(host).compressed
    return host, PORTS[parts.scheme] if parts.port is None else parts.port


def _path(path: str) -> tuple[str, ...] | None:
    """The parts of a path; None if a server may take it for another one, by `..` or by an escaped separator."""
    plain = path
    while (decoded := unquote(plain)) != plain:
        plain = decoded
    inner = plain.removeprefix("/").removesuffix("/")
    parts = tuple(inner.split("/")) if inner else ()
    is_ambiguous = (
        "\\" in plain or plain.count("/") != path.count("/") or any(part in ("", ".", "..") for part in parts)
    )
    return None if is_ambiguous else parts
