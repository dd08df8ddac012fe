"""Kafka's own client properties as librdkafka's: logins of JAAS, stores in PEM or PKCS#12, and what has no counterpart.

Both libraries share most names. What a Java client reads and librdkafka does not have is left out where it only
says how that client works, and refused where the connection would be another one without it.
"""

import logging
import re
from collections.abc import MutableMapping
from functools import cache
from pathlib import Path

from outbox_kit.errors import BadConfigFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.secret import Secret

LOGIN = "sasl.jaas.config"
OPTION = lazy_pattern(r"""\b(\w+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s;"']+))""")
MODULE = lazy_pattern(r"\s*([\w.$]+)")
CREDENTIALS = {"username": "sasl.username", "password": "sasl.password"}
OAUTH = {
    "clientId": "sasl.oauthbearer.client.id",
    "clientSecret": "sasl.oauthbearer.client.secret",
    "scope": "sasl.oauthbearer.scope",
}
MODULES = {"PlainLoginModule": CREDENTIALS, "ScramLoginModule": CREDENTIALS, "OAuthBearerLoginModule": OAUTH}
ENDPOINT = "sasl.oauthbearer.token.endpoint.url"
WITHOUT_EFFECT = lazy_pattern(
    r"(key|value)\.(de)?serializer$|ssl\.(protocol|provider|enabled\.protocols|keymanager\.algorithm|"
    r"trustmanager\.algorithm|secure\.random\.implementation)$|sasl\.login\.(?!callback)|default\.api\.timeout\.ms$|"
    r"max\.poll\.records$|metric\.reporters$|metrics\.|interceptor\.classes$|buffer\.memory$|max\.block\.ms$|"
    r"auto\.include\.jmx\.reporter$|bootstrap\.controllers$|config\.providers|security\.providers$|"
    r"(receive|send)\.buffer\.bytes$|max\.request\.size$|partitioner\.class$"
)
JAVA_SUITES = lazy_pattern(r"\s*TLS_(?!AES_|CHACHA20_)")
PEM, JKS, PKCS12 = "PEM", "JKS", "PKCS12"
STARTS = {b"\xfe\xed\xfe\xed": JKS, b"\xce\xce\xce\xce": JKS, b"-----": PEM, b"\x30": PKCS12}
ASKS = "asks for the store's password"

LOG = logging.getLogger(__name__)


def translated(settings: MutableMapping[str, str]) -> None:
    """Replace Kafka's names by librdkafka's. Raises BadConfigFile if librdkafka does not support a setting."""
    for step in (_login, _trust_store, _key_store, _inline, _host_check):
        step(settings)
    for name in [name for name in settings if WITHOUT_EFFECT.match(name)]:
        _report(name)
        del settings[name]
    if JAVA_SUITES.match(settings.get("ssl.cipher.suites", "")):
        raise _unsupported(
            "ssl.cipher.suites", "its names are Java's", "write OpenSSL's names, such as ECDHE-RSA-AES128-GCM-SHA256"
        )


@cache
def _report(name: str) -> None:
    LOG.debug("'%s' has no effect on this Kafka client", name)


def _login(settings: MutableMapping[str, str]) -> None:
    """User and password by themselves, where a login module holds them."""
    text = settings.pop(LOGIN, None)
    if text is None:
        return
    match = MODULE.match(text)
    name = match[1].rpartition(".")[2] if match else ""
    if name not in MODULES:
        fix = f"use {', '.join(MODULES)}, or librdkafka's own names sasl.username, sasl.password, sasl.oauthbearer.*"
        raise _unsupported(LOGIN, f"unsupported login module '{name}'", fix)
    for option, double, single, plain in OPTION.findall(text):
        if target := MODULES[name].get(option):
            value = re.sub(r"\\(.)", r"\1", double or single) or plain
            settings[target] = Secret(value).reveal() if option in ("password", "clientSecret") else value
    if ENDPOINT in settings and MODULES[name] is OAUTH:
        settings.setdefault("sasl.oauthbearer.method", "oidc")


def _trust_store(settings: MutableMapping[str, str]) -> None:
    path, kind = settings.pop("ssl.truststore.location", ""), settings.pop("ssl.truststore.type", "")
    settings.pop("ssl.truststore.password", None)
    if not path:
        return
    kind = _kind(path, kind)
    if kind == PEM:
        settings["ssl.ca.location"] = path
        return
    convert = f"openssl pkcs12 -in {_p12(path, kind)} -nokeys -out ca.pem"
    raise _unsupported(
        "ssl.truststore.location",
        f"'{path}' is a {kind} store, and this Kafka client reads authorities as PEM only",
        f"{_to_p12(path, kind)}{convert}; then ssl.truststore.type=PEM and ssl.truststore.location=ca.pem "
        f"(each command {ASKS})",
    )


def _key_store(settings: MutableMapping[str, str]) -> None:
    path, kind = settings.get("ssl.keystore.location", ""), settings.pop("ssl.keystore.type", "")
    if not path:
        return
    kind = _kind(path, kind)
    if kind == PEM:
        for name in ("location", "password"):
            settings.pop(f"ssl.keystore.{name}", None)
        settings["ssl.certificate.location"] = settings["ssl.key.location"] = path
    elif kind == JKS:
        raise _unsupported(
            "ssl.keystore.location",
            f"'{path}' is a JKS store, and this Kafka client reads PKCS12 and PEM",
            f"{_to_p12(path, kind)[:-4]}; then ssl.keystore.type=PKCS12 and ssl.keystore.location={_p12(path, kind)} "
            f"(the command {ASKS})",
        )


def _inline(settings: MutableMapping[str, str]) -> None:
    """Certificates and keys that are values themselves."""
    names = {
        "ssl.truststore.certificates": "ssl.ca.pem",
        "ssl.keystore.certificate.chain": "ssl.certificate.pem",
        "ssl.keystore.key": "ssl.key.pem",
    }
    for name, target in names.items():
        if name in settings:
            settings[target] = settings.pop(name)


def _host_check(settings: MutableMapping[str, str]) -> None:
    name = "ssl.endpoint.identification.algorithm"
    if name in settings:
        settings[name] = settings[name].strip().lower() or "none"


def _kind(path: str, kind: str) -> str:
    """The kind of a store: as its first bytes show, because Java takes PKCS#12 for JKS too. Raises BadConfigFile."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(5)
    except OSError as cause:
        raise BadConfigFile(f"'{path}' cannot be read", where="--kafka-config", why=cause.strerror or "") from None
    shown = (name for prefix, name in STARTS.items() if start.startswith(prefix))
    return PEM if kind.upper() == PEM else next(shown, kind.upper() or PEM)


def _p12(path: str, kind: str) -> str:
    return path if kind == PKCS12 else f"{Path(path).stem}.p12"


def _to_p12(path: str, kind: str) -> str:
    if kind == PKCS12:
        return ""
    return f"keytool -importkeystore -srckeystore {path} -destkeystore {_p12(path, kind)} -deststoretype PKCS12 && "


def _unsupported(name: str, why: str, fix: str) -> BadConfigFile:
    return BadConfigFile(f"'{name}' cannot be used", where="--kafka-config", why=why, fix=fix)
