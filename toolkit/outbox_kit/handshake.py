"""TLS from the client's side: a context of files, and a handshake that says why a certificate is not accepted."""

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from outbox_kit import deadline
from outbox_kit.errors import UsageProblem

SECONDS = 2.0


def context(
    authority: str | None,
    certificate: str | None = None,
    key: str | None = None,
    password: str = "",
    *,
    names: Mapping[str, str],
) -> ssl.SSLContext:
    """A context that checks the server's certificate and host, and has a client certificate if one is named.

    authority: a PEM file or a folder of them; None for the system's. certificate, key: PEM files; the key is in the
    certificate's file if it is not named. password: of the key. names: by which settings the files were named, for
    messages: of `authority`, `certificate`, `key` and `password`. Raises UsageProblem where a file cannot be used.
    """
    for part, path in (("authority", authority), ("certificate", certificate), ("key", key)):
        if path and not Path(path).exists():
            raise UsageProblem(f"no file '{path}'", where=names[part], fix=f"name a PEM file: {names[part]}")
    if key and not certificate:
        raise UsageProblem("a key without a certificate", where=names["key"], fix=f"set {names['certificate']} too")
    try:
        is_folder = authority is not None and Path(authority).is_dir()
        file, folder = (None, authority) if is_folder else (authority, None)
        tls_context = ssl.create_default_context(cafile=file, capath=folder)
    except (OSError, ValueError) as cause:
        what = f"'{authority}' holds no certificate that can be read"
        raise UsageProblem(
            what, where=names["authority"], why=str(cause), fix="name a file of PEM certificates"
        ) from None
    if authority:
        tls_context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # many private authorities do not pass it
    if certificate:
        try:  # without an answer to its question for the password the library asks at the terminal
            tls_context.load_cert_chain(certificate, key, password=lambda: password)
        except (OSError, ValueError) as cause:
            raise _unusable(certificate, key or certificate, cause, names) from None
    return tls_context


def _unusable(certificate: str, key: str, cause: Exception, names: Mapping[str, str]) -> UsageProblem:
    if "ENCRYPTED" in _start(key) and "mismatch" not in str(cause).lower():
        fix = f"give the key's password: {names['password']}"
    else:
        fix = f"name a certificate and the key that belongs to it: {names['certificate']}, {names['key']}"
    what = f"the client certificate '{certificate}' cannot be used with the key '{key}'"
    return UsageProblem(what, where=names["certificate"], why=str(cause), fix=fix)


def _start(path: str) -> str:
    with suppress(OSError), Path(path).open(encoding="latin-1") as file:
        return file.read(4096)
    return ""


def refusal(
    host: str,
    port: int,
    authority: str | None,
    *,
    text: str | None = None,
    greeting: tuple[bytes, bytes] | None = None,
    check_host: bool = True,
) -> str:
    """Why a server's certificate is not accepted, in the words of OpenSSL; empty if it is, or nothing was learned.

    authority: a PEM file; text: or its content; without both, the system's authorities. greeting: what is sent before
    the handshake, and the answer that must follow. check_host: whether the certificate must name the host.
    """
    try:
        tls_context = ssl.create_default_context(cafile=authority, cadata=text)
        tls_context.check_hostname = check_host
        tls_context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        with socket.create_connection((host, port), deadline.allowed(SECONDS)) as line:
            if greeting is not None:
                line.sendall(greeting[0])
                if line.recv(len(greeting[1])) != greeting[1]:
                    return ""
            with tls_context.wrap_socket(line, server_hostname=host):
                return ""
    except ssl.SSLCertVerificationError as cause:
        return cause.verify_message
    except (OSError, ValueError):
        return ""


def speaks_tls(host: str, port: int) -> bool:
    """Whether a server makes a TLS connection at once, whatever its certificate is."""
    tls_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls_context.check_hostname, tls_context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, port), deadline.allowed(SECONDS)) as line,
            tls_context.wrap_socket(line, server_hostname=host),
        ):
            return True
    except (OSError, ValueError):
        return False
