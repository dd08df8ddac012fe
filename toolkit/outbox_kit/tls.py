"""Why a TLS connection was not made, by the words of the library or server that refused it, and what to do. Pure.

Kafka's client, libpq, Python and Java's server name the same fault in different words, so there is one table of them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class TlsFault(StrEnum):
    """Why a TLS connection was not made."""

    expired = "the certificate of {server} has expired"
    early = "the certificate of {server} is not valid yet"
    other_host = "the certificate of {server} was issued for another host"
    unknown_authority = "the certificate of {server} was issued by an unknown authority"
    unverified = "the certificate of {server} was not accepted"
    no_client_certificate = "{server} requires a client certificate"
    refused_certificate = "{server} did not accept the client certificate"
    clear_server = "{server} does not use TLS at this address"
    clear_client = "{server} requires TLS at this address"
    bad_file = "a certificate or key file cannot be used"


WORDS: Sequence[tuple[str, TlsFault]] = (
    # alerts of the server about the client's certificate come first: their names resemble the others
    (r"alert certificate.required|requires a valid client certificate", TlsFault.no_client_certificate),
    (
        r"alert (bad.certificate|certificate.(unknown|expired|revoked)|unknown.ca|unsupported.certificate)",
        TlsFault.refused_certificate,
    ),
    (r"hostname mismatch|ip address mismatch|does not match host ?name", TlsFault.other_host),
    (r"certificate has expired", TlsFault.expired),
    (r"certificate is not yet valid", TlsFault.early),
    (r"unable to get (local )?issuer|self.signed certificate|unable to verify the first", TlsFault.unknown_authority),
    (
        r"root certificate file .* does not exist|key.values.mismatch|could not (load|read) .*(certificate|key)|"
        r"private key file|no certificate or crl found|PKCS#?12 file|ssl\.(ca|key|certificate)\.location failed|"
        r"\[X509|bad decrypt|PEM lib|NO_CERTIFICATE_OR_CRL_FOUND",
        TlsFault.bad_file,
    ),
    (r"certificate verify failed|CERTIFICATE_VERIFY_FAILED", TlsFault.unverified),
    (
        r"does(n't| not) support SSL|SSL is required but|wrong version number|connecting to a PLAINTEXT|"
        r"record layer failure|closed by peer \(after \d+ms in state SSL_HANDSHAKE",
        TlsFault.clear_server,
    ),
    (
        r"no pg_hba.conf entry .*no encryption|insecure transport are prohibited|\\?x15\\?x03|\x15\x03|"
        r"listener requires TLS",
        TlsFault.clear_client,
    ),
)


@dataclass(frozen=True)
class TlsSettings:
    """What a user sets for TLS with one kind of server, as its fixes name it."""

    server: str
    """The server, in a sentence."""
    address: str
    """What holds the host's name."""
    authority: str
    """What names the file of the authority."""
    client: str
    """What names the client certificate and its key."""
    on: str
    """What switches TLS on."""
    off: str
    """What connects without TLS."""


class TlsExplanation(NamedTuple):
    """A fault in a sentence, and the next step."""

    fault: TlsFault
    why: str
    fix: str


FIXES = {
    TlsFault.expired: "renew the certificate on the server, then reload or restart the server",
    TlsFault.early: "check the clocks of both machines, and the certificate's first day",
    TlsFault.other_host: "use a host name of the certificate in {address}, or issue the certificate for this host",
    TlsFault.unknown_authority: "name the PEM file of the authority that issued the server's certificate: {authority}",
    TlsFault.unverified: "check the server's certificate, and the PEM file of its authority: {authority}",
    TlsFault.no_client_certificate: "name a client certificate and its key: {client}",
    TlsFault.refused_certificate: "name a client certificate that is not expired, of an authority that the server "
    "trusts: {client}",
    TlsFault.clear_server: "switch TLS on at the server, or connect without it: {off}",
    TlsFault.clear_client: "switch TLS on: {on}",
    TlsFault.bad_file: "check the files of {authority}, and of {client}: PEM, readable, and a key that belongs to its "
    "certificate",
}


def fault(words: str) -> TlsFault | None:
    """The fault that a library or server describes; None if the words are not about TLS."""
    return next((kind for pattern, kind in WORDS if re.search(pattern, words, re.IGNORECASE | re.DOTALL)), None)


def explained(words: str, settings: TlsSettings, examine: Callable[[], str] | None = None) -> TlsExplanation | None:
    """A fault and its fix; None if the words are not about TLS.

    words: of the library or server. examine: asks for the reason in other words, where a library only says that a
    certificate was not accepted; empty if no reason was found.
    """
    kind = fault(words)
    if kind is TlsFault.unverified and examine is not None and (reason := examine()):
        kind = fault(reason) or kind
        words = reason
    if kind is None:
        return None
    values = vars(settings)
    readable = " ".join(text for text in words.split() if text.isprintable())
    why = kind.value.format(**values) + (f": {readable}" if readable else "")
    return TlsExplanation(kind, why, FIXES[kind].format(**values))
