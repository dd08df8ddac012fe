"""Each shared option once."""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import databases, deadline, secret
from outbox_kit.cli.destination import file_option
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.errors import BadConfigFile, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from outbox_kit.kafka.read import Cluster
    from outbox_kit.schema.model import Outbox
    from outbox_kit.versions import Version

DSN_VARIABLE = "OUTBOX_KIT_DSN"
FILE_VARIABLE = "OUTBOX_KIT_FILE"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence, each of them once: `a, b or c`."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} or {last}" if first else last


DSN_FORMS = [dialect.access.example for dialect in databases.ALL.values()]
PASSWORD_VARIABLES = listed(dialect.access.variable for dialect in databases.ALL.values())


class Format(StrEnum):
    """How a result is printed."""

    text = "text"
    json = "json"


FILE, FOLDER, SECONDS, URL, NAME, VERSION = "FILE", "FOLDER", "SECONDS", "URL", "NAME", "VERSION"
LISTEN = "[HOST:]PORT"

SchemaPath = Annotated[Path, typer.Option("--file", "-f", help="The schema file.", metavar=FILE, envvar=FILE_VARIABLE)]
DEFAULT_PATH = Path("outbox.yaml")
Service = Annotated[
    str | None,
    typer.Option("--service", "-s", metavar=NAME, help="The service, if the file defines several."),
]
Env = Annotated[
    str | None,
    typer.Option(
        "--env", envvar="OUTBOX_KIT_ENV", metavar=NAME, help="The environment, if the schema file defines some."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar=FILE, help="Write to this file instead of stdout.", callback=file_option),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Write nothing; exit 1 if the file given by --out is out of date.", is_eager=True),
]
Dsn = Annotated[
    str | None,
    typer.Option(
        "--dsn",
        envvar=DSN_VARIABLE,
        metavar="DSN",
        help=f"The database, such as {DSN_FORMS[0]}, without a password.",
    ),
]


def without_password(ctx: typer.Context, param: typer.CallbackParam, value: str | None) -> str | None:
    """An address of HTTP as it is. Raises UsageProblem where the command line holds a password."""
    if typed(ctx, param.name or ""):
        refuse_password(param.opts[0], value or "")
    return value


def refuse_password(option: str, address: str) -> None:
    """Raise UsageProblem if an address of HTTP in the command line holds a password. option: as it is typed."""
    userinfo = address.partition("://")[2].rpartition("@")[0]
    if ":" in userinfo:
        secret.remember_address(address)
        raise UsageProblem(
            IN_COMMAND_LINE,
            where=option,
            fix="export OUTBOX_KIT_CONNECT_USER=... and OUTBOX_KIT_CONNECT_PASSWORD=..., and leave them out there",
        )


def typed(ctx: typer.Context, name: str) -> bool:
    """Whether a parameter stands in the command line, and not in the environment."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


IN_COMMAND_LINE = "a password in the command line is visible to every user of the machine"
ConnectUrl = Annotated[
    str,
    typer.Option(
        "--connect",
        envvar="OUTBOX_KIT_CONNECT",
        metavar=URL,
        help="Kafka Connect's REST API.",
        callback=without_password,
    ),
]
DEFAULT_CONNECT = "http://localhost:8083"
Bootstrap = Annotated[
    str,
    typer.Option(
        "--bootstrap",
        "-b",
        envvar="OUTBOX_KIT_BOOTSTRAP",
        metavar="HOST:PORT",
        help="The Kafka brokers.",
    ),
]
DEFAULT_BOOTSTRAP = "localhost:9092"
KafkaConfig = Annotated[
    Path | None,
    typer.Option(
        "--kafka-config",
        envvar="OUTBOX_KIT_KAFKA_CONFIG",
        metavar=FILE,
        help="Kafka client properties: security.protocol, sasl.*, ssl.*.",
    ),
]
Registry = Annotated[
    str | None,
    typer.Option(
        "--registry",
        envvar="OUTBOX_KIT_REGISTRY",
        metavar=URL,
        rich_help_panel=ADVANCED,
        help="The Schema Registry of payloads in its wire format. Credentials: OUTBOX_KIT_REGISTRY_USER and "
        "OUTBOX_KIT_REGISTRY_PASSWORD, or OUTBOX_KIT_REGISTRY_TOKEN.",
    ),
]
TargetVersion = Annotated[
    str | None,
    typer.Option("--target-version", metavar=VERSION, help="Check against this Debezium release, such as 3.6."),
]
Timeout = Annotated[
    float, typer.Option("--timeout", min=1, metavar=SECONDS, help="Limit for all requests to other systems.")
]
OutputFormat = Annotated[Format, typer.Option("--format", help="Output format.")]


LARGEST_FILE = 64 * 1024 * 1024  # characters of any file that a command is given


RELEASE = lazy_pattern(r"\d+(\.\d+)+(\.[A-Z]\w*)?")


def release_of(text: str | None) -> "Version | None":
    """The release that --target-version names, or None. Raises UsageProblem."""
    from outbox_kit.versions import Version

    if text is None:
        return None
    if RELEASE.fullmatch(text) and (release := Version.of(text)).is_debezium:
        return release
    last = Version.newest_debezium()
    if RELEASE.fullmatch(text):
        why = f"outbox-kit knows the options of releases up to {last}"
        raise UsageProblem(f"unknown Debezium release '{text}'", why=why, fix=f"name a release up to {last}")
    raise UsageProblem(f"invalid --target-version '{text}': expected a release such as 3.6 or 3.6.1")


def text_of(path: Path, expected: str = "a schema file or a connector config, or write one: outbox-kit init") -> str:
    """A file's text. expected: what it should be, for the message. Raises BadConfigFile."""
    from outbox_kit.textfile import content

    return _text(lambda: content(path, LARGEST_FILE), f"'{path}'", expected)


def piped(path: Path, expected: str) -> str:
    """A file's text, or what stdin holds where the file is called -. Raises BadConfigFile."""
    from outbox_kit.textfile import stdin

    return _text(lambda: stdin(LARGEST_FILE), "stdin", expected) if str(path) == "-" else text_of(path, expected)


def _text(read: Callable[[], str], name: str, expected: str) -> str:
    from outbox_kit.textfile import TooLarge

    try:
        return read()
    except TooLarge as cause:
        raise BadConfigFile(f"{name} is too large", why=str(cause)) from None
    except FileNotFoundError:
        raise BadConfigFile(f"no file {name}", fix=f"name {expected}") from None
    except UnicodeDecodeError as cause:
        raise BadConfigFile(f"{name} is not text in UTF-8", why=str(cause)) from None
    except TimeoutError as cause:
        raise BadConfigFile(f"{name} has no end", why=str(cause), fix=f"write {expected} into it") from None
    except OSError as cause:
        raise BadConfigFile(f"{name} cannot be read", why=cause.strerror or str(cause)) from None


def cluster(bootstrap: str, config: Path | None) -> "Cluster":
    """The Kafka cluster, with the settings of a client's file. Raises BadConfigFile."""
    from outbox_kit.kafka.access import settings
    from outbox_kit.kafka.read import Cluster

    return Cluster(bootstrap, settings(config))


def outbox_from(path: Path, service: str | None, env: str | None = None, *, lenient: bool = False) -> "Outbox":
    """Read the schema file and choose the outbox. Secrets among its raw options are printed nowhere.

    env, lenient: see `schema.read.read`.
    """
    from outbox_kit.connect.redact import remember
    from outbox_kit.schema.read import read

    outbox = read(path, env, lenient=lenient).outbox(service)
    remember(outbox.connect.config)
    return outbox


def limited(ctx: typer.Context, seconds: float) -> None:
    """Give the rest of a command so many seconds for all that it asks of others."""
    ctx.with_resource(deadline.within(seconds))


def given_dsn(ctx: typer.Context, dsn: str | None) -> str | None:
    """The database that was named, or None.

    Raises UsageProblem where a password stands in the command line, for all to see in the process list.
    """
    from outbox_kit.databases import servers

    secret.remember_address(secret.readable(dsn or "", f"--dsn, or {DSN_VARIABLE},"))
    spelled = dsn and (secret.spelled(dsn) or any(servers.get(name).has_password(dsn) for name in databases.ALL))
    if spelled and typed(ctx, "dsn"):
        raise UsageProblem(
            IN_COMMAND_LINE,
            where="--dsn",
            fix=f"export {DSN_VARIABLE}=... or leave it to ~/.pgpass, or to {PASSWORD_VARIABLES}",
        )
    return dsn


def dsn_for(ctx: typer.Context, dsn: str | None, outbox: "Outbox") -> str:
    """The database that was named, else the schema file's own host, port and name."""
    from outbox_kit.schema.names import address

    return given_dsn(ctx, dsn) or address(outbox)


def size(text: str, *, least: int) -> int:
    """Bytes, from `512MiB`, `2G` or a plain number. least: in MiB. Raises UsageProblem, also where it is less."""
    match = re.fullmatch(r"(\d+)\s*(?:([KMGT])(?:i?B)?|B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise UsageProblem(f"invalid size '{text}': expected a number with a unit", fix="for example 512MiB or 2GiB")
    amount = int(match[1]) << 10 * " KMGT".index((match[2] or " ").upper())
    if amount < least << 20:
        raise UsageProblem(f"invalid size '{text}': expected at least {least}MiB", fix=f"allow {least}MiB or more")
    return amount


def pair(option: str, text: str) -> tuple[str, str]:
    """A name and its value. Raises UsageProblem."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise UsageProblem(f"{option} '{text}' has no value", fix=f"write {option} NAME=VALUE")
    return name, value


def listen_address(listen: str, option: str = "--listen") -> tuple[str, int]:
    """Host and port of an option; this machine alone if no host is named. Raises UsageProblem."""
    host, _, port = listen.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise UsageProblem(f"invalid {option} '{listen}': expected PORT or HOST:PORT", fix=f"for example {option} 9464")
    return host.strip("[]") or "127.0.0.1", int(port)
