"""How a client is let in to Kafka Connect's REST API: the variables OUTBOX_KIT_CONNECT_*, and nothing else.

A secret is in its variable, in the file that the variable with `_FILE` names, or in what the command of the variable
with `_COMMAND` prints. Every value may hold references, as in a connector's configuration.
"""

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from outbox_kit import deadline
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.references import resolved
from outbox_kit.secret import Secret
from outbox_kit.textfile import content

PREFIX = "OUTBOX_KIT_CONNECT_"
COMMAND_SECONDS = 30.0
HEADER = lazy_pattern(r"([!#$%&'*+.^`|~\w-]+)[ \t]*:[ \t]*(.*)")
OF_REQUESTS = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")  # the library's own variables, which hold for all its users


@dataclass(frozen=True)
class SecretSource:
    """Where a secret is read from; it can be read again, when it has changed."""

    read: Callable[[], Secret]
    """Reads it. Raises UsageProblem, EnvironmentProblem."""
    renewable: bool = False
    """Whether another value may come when it is read again: of a file or a command."""


@dataclass(frozen=True)
class ConnectAccess:
    """What the workers' REST API asks of a client."""

    user: str = ""
    """For basic authentication."""
    password: SecretSource | None = None
    """The user's."""
    token: SecretSource | None = None
    """Sent as a bearer token, in place of user and password."""
    authority: str | None = None
    """A PEM file; None for the authorities of `requests`."""
    certificate: str | None = None
    """A PEM file with the client certificate, and with its key if `key` is None."""
    key: str | None = None
    """A PEM file with the key of the client certificate."""
    key_password: SecretSource | None = None
    """Of the key's file."""
    headers: Mapping[str, Secret] = field(default_factory=dict)
    """Sent with each request; a value may be a secret."""


NAMES = {
    "authority": f"{PREFIX}CA",
    "certificate": f"{PREFIX}CERTIFICATE",
    "key": f"{PREFIX}KEY",
    "password": f"{PREFIX}KEY_PASSWORD",
}
"""The variables of the files for TLS."""


def from_environment() -> ConnectAccess:
    """What the variables say. Raises UsageProblem."""
    headers = _secret("HEADERS")
    authority = _text("CA") or next(filter(None, map(os.environ.get, OF_REQUESTS)), None)
    return ConnectAccess(
        user=_text("USER"),
        password=_secret("PASSWORD"),
        token=_secret("TOKEN"),
        authority=authority,
        certificate=_text("CERTIFICATE") or None,
        key=_text("KEY") or None,
        key_password=_secret("KEY_PASSWORD"),
        headers=_headers(headers.read().reveal()) if headers else {},
    )


def constant(value: str) -> SecretSource:
    """A secret that is at hand."""
    secret = Secret(value)
    return SecretSource(lambda: secret)


def _text(name: str) -> str:
    return resolved(os.environ.get(f"{PREFIX}{name}", ""), f"{PREFIX}{name}")


def _secret(name: str) -> SecretSource | None:
    """The source of a secret; None if no variable names it. Raises UsageProblem where several do."""
    variables = {kind: f"{PREFIX}{name}{kind}" for kind in ("", "_FILE", "_COMMAND")}
    values = {kind: os.environ[variable] for kind, variable in variables.items() if os.environ.get(variable)}
    if len(values) > 1:
        names = " and ".join(variables[kind] for kind in values)
        raise UsageProblem(f"{names} are both set", fix=f"unset all but one: {names}")
    if not values:
        return None
    ((kind, value),) = values.items()
    variable = variables[kind]
    if kind == "":
        secret = Secret(resolved(value, variable))
        return SecretSource(lambda: secret)
    if kind == "_FILE":
        return SecretSource(lambda: _content(value, variable), renewable=True)
    return SecretSource(lambda: _output(value, variable), renewable=True)


def _content(path: str, variable: str) -> Secret:
    try:
        return Secret(content(Path(path)).strip("\r\n"))
    except (OSError, ValueError) as cause:
        why = getattr(cause, "strerror", None) or str(cause)
        raise UsageProblem(
            f"'{path}' cannot be read", where=variable, why=why, fix=f"name a file: {variable}"
        ) from None


def _output(command: str, variable: str) -> Secret:
    """What a command prints. It is run without a shell, and its arguments are not shown: they may be secret."""
    fix = f"run the command of {variable} in a terminal"
    try:
        words = shlex.split(command)
        seconds = deadline.allowed(COMMAND_SECONDS)
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except (OSError, ValueError, IndexError) as cause:
        why = getattr(cause, "strerror", None) or "the command cannot be parsed"
        raise UsageProblem("the command for a secret cannot be run", where=variable, why=why, fix=fix) from None
    except subprocess.TimeoutExpired:
        why = f"it has not ended in {seconds:.0f} s"
        raise EnvironmentProblem("the command for a secret did not end", where=variable, why=why, fix=fix) from None
    if done.returncode != 0 or not done.stdout.strip():
        why = f"exit code {done.returncode}" if done.returncode else "it printed nothing"
        raise EnvironmentProblem("the command for a secret failed", where=variable, why=why, fix=fix)
    return Secret(done.stdout.strip("\r\n"))


def _headers(text: str) -> dict[str, Secret]:
    """`Name: value`, one a line. Raises UsageProblem, which shows no value."""
    headers = {}
    for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
        match = HEADER.fullmatch(line.strip())
        if match is None or not match[2].isprintable():
            what = f"invalid header in line {number}: expected NAME: VALUE"
            raise UsageProblem(what, where=f"{PREFIX}HEADERS", fix="write one header a line, such as X-Tenant: shop")
        headers[match[1]] = Secret(match[2])
    return headers
