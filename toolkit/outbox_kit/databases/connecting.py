"""The next step for a connection that a server refuses, by the words of the server or its driver. Pure."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from outbox_kit import tls
from outbox_kit.databases.facts import Access

STEPS: Sequence[tuple[str, str]] = (
    (
        r"password|access denied|login failed|authentication failed|ORA-01017|ORA-28000",
        "check the user in OUTBOX_KIT_DSN, and the password in {variable} or OUTBOX_KIT_DSN",
    ),
    (r"no pg_hba.conf entry|is not allowed to connect", "allow this client's address for the user on the server"),
    (
        r"database \S+ does not exist|unknown database|cannot open database|ORA-12514|ORA-12505|DPY-6001|DPY-6003",
        "create the database, or correct its name in OUTBOX_KIT_DSN",
    ),
    (r"role \S+ does not exist", "create the role, or correct the user in OUTBOX_KIT_DSN"),
    (r"certificate|\bSSL|\bTLS", "check the TLS settings of OUTBOX_KIT_DSN and of the server"),
    (
        r"refused|timed? ?out|timeout|unreachable|no route|translate host|not known|no answer|getaddrinfo|DPY-6005|"
        r"No such file|handshake|connection closed|ServerSelection|No servers",
        "check that the server runs, and the host and port in OUTBOX_KIT_DSN",
    ),
)


class ConnectionRefusal(NamedTuple):
    """Why a server was not reached, and the next step."""

    why: str
    fix: str


def refusal(access: Access, words: str, examine: Callable[[], str] | None = None) -> ConnectionRefusal:
    """What to say about a refused connection.

    access: of the database. words: of the server or its driver. examine: see `tls.explained`.
    """
    explanation = tls.explained(words, access.tls, examine)
    return (
        ConnectionRefusal(words, next_step(access, words))
        if explanation is None
        else ConnectionRefusal(*explanation[1:])
    )


def next_step(access: Access, why: str) -> str:
    """What to do about a refused connection. access: of the database. why: the words of the server or its driver."""
    explanation = tls.explained(why, access.tls)
    if explanation is not None:
        return explanation.fix
    for words, step in STEPS:
        if re.search(words, why, re.IGNORECASE):
            return step.format(variable=access.variable)
    return f"check OUTBOX_KIT_DSN: it is written as {access.example}"
