"""A session with Kafka Connect's workers: credentials, TLS, proxies, and which worker is asked.

`client` says what is asked. Proxies are those of the environment: HTTPS_PROXY, HTTP_PROXY, NO_PROXY.
"""

import os
import re
import ssl
from base64 import b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import SplitResult, unquote, urlunsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_netrc_auth

from outbox_kit import address, handshake, tls
from outbox_kit.connect.credentials import NAMES, PREFIX, ConnectAccess, SecretSource, constant
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.secret import Secret, remember_address

PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
SEVERAL = lazy_pattern(r",(?=\s*https?://)")
TLS = tls.TlsSettings(
    server="Kafka Connect",
    address="--connect",
    authority=NAMES["authority"],
    client=f"{NAMES['certificate']} and {NAMES['key']}",
    on="--connect https://HOST:PORT",
    off="--connect http://HOST:PORT",
)


class _Basic(AuthBase):
    """User and password in any alphabet: requests itself knows those of Latin-1 only."""

    def __init__(self, user: bytes, password: bytes) -> None:
        self._credentials = Secret(b64encode(user + b":" + password).decode())

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Basic {self._credentials.reveal()}"
        return request


class _Bearer(AuthBase):
    """A token, which is read again once after it was refused if its source may have another by then.

    It is no header of the session: requests would replace that by what ~/.netrc says.
    """

    def __init__(self, source: SecretSource) -> None:
        self._source, self._token = source, source.read()

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        if self._source.renewable:
            request.hooks["response"].append(self._renewed)
        return request

    def _renewed(self, answer: requests.Response, **options: Any) -> requests.Response:
        token = self._source.read() if answer.status_code == 401 else self._token
        if token == self._token:
            return answer
        self._token = token
        answer.close()
        again = answer.request.copy()
        again.hooks["response"].remove(self._renewed)
        again.headers["Authorization"] = f"Bearer {token.reveal()}"
        second: requests.Response = answer.connection.send(again, **options)
        return second


class _WithTls(HTTPAdapter):
    """Connections with one context. What requests derives from its own variables is left out: it is in the context."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context = context
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options, ssl_context=self._context)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        return super().proxy_manager_for(proxy, **options, ssl_context=self._context)

    def cert_verify(self, *_: Any) -> None:
        """Nothing: the context has the authorities and the client certificate."""

    def send(self, request: Any, *arguments: Any, **options: Any) -> requests.Response:
        return super().send(request, *arguments, **{**options, "verify": True, "cert": None})


class Workers:
    """The addresses of one cluster's workers, one of which is asked until it does not answer."""

    def __init__(self, urls: str, access: ConnectAccess) -> None:
        """urls: REST addresses, separated by commas; user and password in them are used and never shown.

        Raises UsageProblem, and EnvironmentProblem where a secret cannot be read.
        """
        remember_address(urls)
        parts = [_parts(url.strip()) for url in SEVERAL.split(urls)]
        self._urls = [urlunsplit(part._replace(netloc=part.netloc.rpartition("@")[2])).rstrip("/") for part in parts]
        self.session = requests.Session()
        self.session.headers.update({name: value.reveal() for name, value in access.headers.items()})
        self.session.auth = _authentication(access, *_login(parts), self._urls[0])
        if any(url.startswith("https:") for url in self._urls):
            self.session.mount("https://", _WithTls(_context(access)))
        for name in (*PROXIES, *map(str.lower, PROXIES)):
            remember_address(os.environ.get(name, ""))

    @property
    def url(self) -> str:
        """The worker that is asked."""
        return self._urls[0]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._urls)

    def next(self) -> None:
        """Ask the next one from now on."""
        self._urls.append(self._urls.pop(0))


def _parts(url: str) -> SplitResult:
    """An address, taken apart. Raises UsageProblem."""
    remember_address(url)
    parts = address.http(url)
    if parts is None:
        why = address.flaw(url) or ("" if "@" in url or _with_scheme(url) else f"'{url}' is not http://HOST:PORT")
        fix = f"expected http://HOST:PORT{_with_scheme(url)}"
        raise UsageProblem("invalid address of Kafka Connect", why=why, fix=fix)
    return parts


def _login(parts: Sequence[SplitResult]) -> tuple[str, str]:
    """User and password of the first address that has them; empty if none has."""
    with_user = next((part for part in parts if part.username), parts[0])
    return unquote(with_user.username or ""), unquote(with_user.password or "")


def _with_scheme(url: str) -> str:
    """What to add to the message about an address without http://; empty for any other."""
    return f", such as http://{url}" if re.fullmatch(r"[\w.-]+(:\d+)?", url) else ""


def _authentication(access: ConnectAccess, user: str, password: str, url: str) -> AuthBase | None:
    """By token, else by user and password: of the variables, of the address, of ~/.netrc."""
    if access.token:
        return _Bearer(access.token)
    name, source = access.user or user, access.password or constant(password)
    if not name and (login := get_netrc_auth(url)):
        name, source = login[0], constant(login[1])
    if not name:
        return None
    return _Basic(name.encode(), source.read().reveal().encode())


def _context(access: ConnectAccess) -> ssl.SSLContext:
    password = access.key_password.read().reveal() if access.key_password else ""
    authority = access.authority or DEFAULT_CA_BUNDLE_PATH
    return handshake.context(authority, access.certificate, access.key, password, names=NAMES)


def explained(cause: BaseException) -> tls.TlsExplanation | None:
    """Why no TLS connection was made, if that is the cause of an exception; it is the same when it is tried again."""
    return tls.explained(root(cause), TLS)


def root(error: BaseException) -> str:
    """The innermost reason of a chain of exceptions."""
    while inner := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        error = inner
    return str(error) or type(error).__name__


CREDENTIALS = f"{PREFIX}USER and {PREFIX}PASSWORD, or {PREFIX}TOKEN"
"""The variables that a client without credentials sets."""
