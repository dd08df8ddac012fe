"""Rules about access to the database: passwords, rights, encryption."""

import re
from collections.abc import Iterator, Sequence, Set

from outbox_kit import secret
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import javaregex

USERINFO = lazy_pattern(r"://[^/\s:@]+:([^\s$@]+)@|:thin:[^/\s@:]+/([^\s$@]+)@|[?&;]password=([^\s&;$]+)")
"""A password in an address, of Oracle's driver too."""
WORDS = """
key p pw pwd pass passwd password passwort passw pa ssw ord secret admin root user test dev demo local example change
changeme it me my your yours the some strong super very top s postgres postgresql pg mysql maria mariadb mongo mongodb
oracle sa sys sql server mssql debezium dbz cdc connect connector kafka replication replicator repl outbox guest foo bar
abc qwerty scratch container only throw away throwaway probe disposable temp temporary fake dummy testing integration
letmein db database word service app owner master a w x xx xxx here placeholder redacted hidden none null
minio cassandra neo4j elastic elasticsearch clickhouse redis rabbit rabbitmq couchdb influx grafana keycloak redpanda
senha segredo contrasena clave parola parole motdepasse sifre parol geheim kennwort wachtwoord haslo heslo lozinka
prueba pruebas teste de abcd artemis simetraehcapa redhat openshift mlflow never should this appear unmasked
"""
EXAMPLES = frozenset(WORDS.split())
"""Words of passwords in documentation and on developers' machines."""
CONSTANT = lazy_pattern(r"[A-Z]+(?:_[A-Z]+)+")
"""The name of a variable in the place of its value."""
LONGEST = 64
SHORT = 8
"""A password of fewer characters is none that anybody runs a server with."""
DIGITS = "012345678901234567890"
"""Parts of it are passwords of examples."""
REPEATED = lazy_pattern(r"(\d{1,4})\1+")
LOOKALIKES = str.maketrans("@01345$!7", "aoieassit")
ADDRESSES = ("connection.string", "connection.uri", "database.url", "connection.url", ".jdbc.url", "registry.url")
"""Ends of options whose value is an address that may have a password."""
IDENTIFIERS = ("access.key.id", "access-key-id", "ssl.keystore", "ssl.truststore")
"""Ends of options that are called like a secret, and are none."""
TELLING = ("pass", "pwd", "secret", "changeme", "letmein", "senha", "contrase", "kennwort")
"""What is in the passwords of examples alone."""
NAMING = (
    *("database.user", "database.dbname", "database.names", "database.hostname", "database.include.list"),
    *("database.server.name", "topic.prefix", "slot.name", "mongodb.user"),
)
"""Options whose values have the words of which the passwords of examples are made."""
JAAS_PASSWORD = lazy_pattern(r"\bpassword\s*=\s*[\"']?([^\"';\s]+)", re.IGNORECASE)


@rule(
    "plain-text-secret",
    Consequence.leak,
    evidence="N08",
    fix="use a reference that the worker resolves, such as ${env:OUTBOX_DB_PASSWORD}",
)
def plain_text_secret(subject: Subject) -> Iterator[Violation]:
    """Passwords are references, not values.

    A value is visible to everyone who can read the config, and the REST API of Kafka Connect returns it.
    """
    consequence = Consequence.risk if _is_local(subject) else None
    for key, value in _secrets(subject):
        if not _is_example(subject, value) and value not in _users(subject):
            message = f"'{key}' contains the secret itself"
            yield Violation(key, message, consequence=consequence if OF_A_PERSON.fullmatch(value) else None)


@rule(
    "superuser",
    Consequence.risk,
    evidence="N08",
    fix="connect as a user that has the rights of a reader and of replication only",
)
def superuser(subject: Subject) -> Iterator[Violation]:
    """The connector does not connect as the superuser of the server.

    A reader of the config, or an intruder in the worker, can change every database of the server.
    """
    for key in ("database.user", "mongodb.user"):
        user = subject.config.get(key, "").strip().lower()
        if user in _superusers(subject) or user.endswith("admin"):
            yield Violation(key, f"'{subject.config[key].strip()}' is a superuser")


def _superusers(subject: Subject) -> Sequence[str]:
    names: Sequence[str] = subject.facts.get("superusers", ())
    return names


@rule("no-tls", Consequence.advice, evidence="N08", fix="require TLS")
def no_tls(subject: Subject) -> Iterator[Violation]:
    """TLS to the database is not switched off.

    Rows and the password travel in plain text.
    """
    for key, value in (
        ("database.sslmode", "disable"),
        ("database.ssl.mode", "disabled"),
        ("database.encrypt", "false"),
        ("mongodb.ssl.enabled", "false"),
    ):
        if subject.config.get(key, "").strip().lower() == value:
            yield Violation(key, f"{key} is {value}")


@rule(
    "example-password",
    Consequence.risk,
    evidence="N08",
    fix="use a reference that the worker resolves, such as ${env:OUTBOX_DB_PASSWORD}",
)
def example_password(subject: Subject) -> Iterator[Violation]:
    """No password of an example is set.

    It is fine on a developer's machine. The same config elsewhere has a password that everyone knows, or its real one
    in the file.
    """
    for key, value in _secrets(subject):
        if _is_example(subject, value):
            yield Violation(key, f"'{key}' is a password of examples")


def _secrets(subject: Subject) -> Iterator[tuple[str, str]]:
    """The options and settings that contain a secret, with it."""
    yield from _secret_settings(subject)
    for key, value in subject.config.items():
        option = subject.option(key)
        kind = option.type if option else "string"
        if key in subject.unknown:
            continue
        if key.endswith(ADDRESSES):
            match = USERINFO.search(value)
            if match and not placeholders.is_open(key, match[match.lastindex or 0]):
                yield key, match[match.lastindex or 0]
        elif key.endswith("sasl.jaas.config"):
            if match := JAAS_PASSWORD.search(value):
                yield key, match[1]
        elif value.strip() and (
            kind == "password" or (kind == "string" and secret.names_secret(key) and not key.startswith("transforms."))
        ):
            if not key.endswith(IDENTIFIERS):
                yield key, value.strip()


@rule(
    "passwords-logged",
    Consequence.leak,
    since="3.4",
    evidence="N08",
    fix="add password to the pattern, or remove the option",
)
def passwords_logged(subject: Subject) -> Iterator[Violation]:
    """The log has no passwords.

    The connector logs its configuration when it starts. A pattern of one's own replaces the default: what it does not
    match is logged as it is.
    """
    key = "custom.sanitize.pattern"
    pattern = subject.config.get(key, "")
    if pattern and subject.says(key):
        hides = javaregex.compiled_or_none(f"(?i){pattern}")
        if hides and not hides.fullmatch("database.password"):
            yield Violation(key, f"'{pattern}' does not match database.password, which is logged")


ACCESS_KEY = lazy_pattern(r"\b(?:SharedAccessKey|AccountKey)=([^;\s$<{]+)")
"""A key in a connection string of Azure."""


OF_A_PERSON = lazy_pattern(r"[^A-Za-z]*[A-Za-z]{3,}[^A-Za-z]*")
"""A word with digits and other signs before or behind it."""
LOCAL = lazy_pattern(r"localhost|127\.[\d.]+|host\.docker\.internal|[\w-]*[A-Za-z_-][\w-]*")
"""The machine itself, or a name without a domain, such as of a service of Docker Compose."""
HOST = lazy_pattern(r"(?:://|:@(?://)?)(?:[^/@\s]*@)?([\w.-]+)")
"""The host in an address, also of Oracle's driver."""


def _is_local(subject: Subject) -> bool:
    """Whether all databases of a config are on the machine of a developer, as far as it names them."""
    config = {key: value.strip() for key, value in subject.config.items()}
    hosts = [value for key, value in config.items() if key.endswith("database.hostname")]
    addresses = [value for key, value in config.items() if key.endswith((*ADDRESSES, "neo4j.uri", "server.uri"))]
    hosts += [match[1] if (match := HOST.search(address)) else "" for address in addresses]
    return bool(hosts) and all(map(LOCAL.fullmatch, hosts))


def _users(subject: Subject) -> Set[str]:
    """The names of all accounts: a password that is one of them is none of a server that is in use."""
    every = {**subject.document.settings, **subject.config}
    return {value.strip() for key, value in every.items() if key.endswith((".user", ".username"))}


def _secret_settings(subject: Subject) -> Iterator[tuple[str, str]]:
    """Those among the settings of Debezium Server, or of the engine."""
    for key, value in subject.document.settings.items():
        if not key.startswith(("debezium.sink.", "debezium.source.offset.")):
            continue
        if match := ACCESS_KEY.search(value):
            yield key, match[1]
        elif key.endswith("sasl.jaas.config"):
            if match := JAAS_PASSWORD.search(value):
                yield key, match[1]
        elif value.strip() and secret.names_secret(key) and not placeholders.is_open(key, value):
            if not key.endswith(IDENTIFIERS):
                yield key, value.strip()


def _is_example(subject: Subject, value: str) -> bool:
    """Whether everyone knows a password: each of its words is one of examples, or a name of the config."""
    values = [subject.config.get(key, "").strip().lower() for key in NAMING] + [(subject.document.name or "").lower()]
    names = {*values, *(word for text in values for word in re.split(r"[^a-z]+", text) if len(word) > 2)}
    plain = value.lower().translate(LOOKALIKES)
    if CONSTANT.fullmatch(value):
        return True
    if (
        len(value) < SHORT
        or REPEATED.fullmatch(value)
        or plain in names
        or value in DIGITS
        or any(word in plain for word in TELLING)
    ):
        return True
    spellings = ([word for word in re.split(r"[^a-z]+", text) if word] for text in (value.lower(), plain))
    return any(words and all(_is_made_of(word, EXAMPLES | names) for word in words) for words in spellings)


def _is_made_of(text: str, words: Set[str]) -> bool:
    """Whether a text is some of these words, one behind the other."""
    ends = {0}
    for end in range(1, len(text) + 1 if len(text) <= LONGEST else 0):
        if any(text[start:end] in words for start in ends):
            ends.add(end)
    return len(text) in ends
