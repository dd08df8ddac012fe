"""How a client is let into a cluster: the properties file that Kafka's own tools take with --command-config.

It may be written in Kafka's names or in librdkafka's, which are the same for most that such a file holds;
`${env:NAME}`, `${file:PATH:KEY}` and `${directory:FOLDER:FILE}` are references, as they are for Kafka Connect.
"""

from collections.abc import Mapping
from pathlib import Path

from outbox_kit import handshake, tls
from outbox_kit.errors import BadConfigFile
from outbox_kit.kafka import java_names
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.properties import properties
from outbox_kit.references import resolved
from outbox_kit.secret import Secret, names_secret, revealed
from outbox_kit.textfile import content

PROGRAM = lazy_pattern(r"_cb$|^on_|^logger$|^default\.topic\.config$")  # the client takes functions or objects for them
ENDPOINT = lazy_pattern(r"\w+://(?P<host>[^/\s]+):(?P<port>\d+)/")  # of a broker, in an error of the client
TLS = tls.TlsSettings(
    server="the Kafka broker",
    address="--bootstrap, or the broker's advertised.listeners",
    authority="ssl.truststore.location or ssl.ca.location",
    client="ssl.keystore.location, or ssl.certificate.location and ssl.key.location",
    on="security.protocol=SSL or SASL_SSL in the file of --kafka-config",
    off="security.protocol=PLAINTEXT or SASL_PLAINTEXT",
)

Settings = Mapping[str, str | Secret]


def settings(path: Path | None) -> dict[str, str | Secret]:
    """A file's settings, with the values they refer to; none without a file. Raises BadConfigFile.

    What a name says is a secret is a `Secret`.
    """
    if path is None:
        return {}
    try:
        text = content(path)
    except (OSError, ValueError) as cause:
        why = getattr(cause, "strerror", None) or str(cause)
        fix = "name a file of Kafka client properties: --kafka-config FILE"
        raise BadConfigFile(f"'{path}' cannot be read", why=why, fix=fix) from None
    client_settings: dict[str, str | Secret] = {}
    for name, value, line, column in properties(text):
        location = f"{path}:{line}:{column}"
        if PROGRAM.search(name):
            raise BadConfigFile(f"'{name}' is a setting of programs, not of files", where=location, fix="remove it")
        text = resolved(value, location)
        client_settings[name] = Secret(text) if names_secret(name, unknown=True) else text
    return client_settings


def native(settings: Settings) -> dict[str, str]:
    """Settings as librdkafka takes them. Raises BadConfigFile where it cannot do what a setting asks for."""
    revealed_settings = {name: revealed(value) for name, value in settings.items()}
    java_names.translated(revealed_settings)
    return revealed_settings


def refusal(words: str, settings: Settings) -> tls.TlsExplanation | None:
    """Why a broker was not reached with TLS, if that is what the client's words are about. words: of the client."""
    return tls.explained(words, TLS, lambda: _examined(words, settings))


def unencrypted(bootstrap: str, settings: Settings) -> tls.TlsExplanation | None:
    """The same for a client without TLS, to whom a broker with TLS gives no reason. bootstrap: the brokers."""
    host, _, port = bootstrap.split(",")[0].strip().rpartition(":")
    protocol = revealed(settings.get("security.protocol", "PLAINTEXT")).upper()
    if (
        not protocol.endswith("PLAINTEXT")
        or not port.isdecimal()
        or not handshake.speaks_tls(host.strip("[]"), int(port))
    ):
        return None
    return tls.explained("the listener requires TLS", TLS)


def _examined(words: str, settings: Settings) -> str:
    """The client says only that a certificate was not accepted: the reason, by a handshake with the same broker."""
    broker, client = ENDPOINT.search(words), native(settings)
    if broker is None:
        return ""
    return handshake.refusal(
        broker["host"].strip("[]"),
        int(broker["port"]),
        client.get("ssl.ca.location"),
        text=client.get("ssl.ca.pem"),
        check_host=client.get("ssl.endpoint.identification.algorithm") != "none",
    )
