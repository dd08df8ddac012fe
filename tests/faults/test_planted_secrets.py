"""Secrets are planted in every place that a command reads one from, and looked for in all that it prints and writes."""

import importlib
import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

from outbox_kit import __main__ as boundary
from outbox_kit import secret
from outbox_kit.cli import app
from outbox_kit.connect.client import Connect
from outbox_kit.connect.plan import between
from outbox_kit.databases.mongodb import session as mongodb
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka import access
from outbox_kit.kafka import read as kafka_read
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.read import read
from outbox_kit.verify.checks import CHECKS, configuration
from outbox_kit.verify.result import Result
from tests.support import impatience
from tests.support.reports import FORMATS, rendered
from tests.support.threads import beside
from tests.support.worker import Answer, running

PIECES = ("hunTer2", "zYgote9")
NOBODY = "http://127.0.0.1:1"
SCHEMA = "service: orders\ndatabase:\n  dialect: {dialect}\nevents:\n  - {{type: OrderPlaced, aggregate: Order}}\n"
DIALECTS = ("postgres", "mysql", "mariadb", "sqlserver", "oracle", "mongodb")

# the password as somebody types it who does not know that it must be escaped
BARE = [
    "hunTer2@zYgote9",
    "hunTer2/zYgote9",
    "hunTer2?zYgote9",
    "hunTer2#zYgote9",
    "hunTer2%zYgote9",
    "hunTer2[zYgote9",
]
FORMS = [
    *(f"{{scheme}}://me:{password}@127.0.0.1:1/shop" for password in BARE),
    "{scheme}://me:12/hunTer2@127.0.0.1:1/shop",
    "{scheme}://me:12?zYgote9=hunTer2@127.0.0.1:1/shop",
    "{scheme}://me:p@hunTer2/zYgote9@127.0.0.1:1/shop",
    "{scheme}://me:hunTer2",
    "{scheme}://me:hunTer2@127.0.0.1:zYgote9/shop",
    "{scheme}s://me:hunTer2@127.0.0.1:1/shop",
    "ftp://me:hunTer2@127.0.0.1:1/shop",
    "jdbc:{scheme}://127.0.0.1:1/shop?user=me&password=hunTer2",
    "me:hunTer2@127.0.0.1:1/shop",
    "host=127.0.0.1 port=1 user=me password=hunTer2 zYgote9",
    "host=127.0.0.1 port=hunTer2",
]
COMMANDS = {
    "adopt": ["adopt", "--timeout", "1"],
    "verify": ["verify", "-b", "127.0.0.1:1", "--timeout", "1"],
    "deploy": ["deploy-connector", "--yes", "--timeout", "1", "--stable-for", "0"],
    "remove": ["remove", "--drop-slot", "--allow-destructive", "--timeout", "1"],
    "stop": ["stop", "--timeout", "1"],
    "offsets": ["offsets", "show", "--timeout", "1"],
    "resend": ["resend", "--id", "7", "--timeout", "1"],
    "all": ["status", "--all", "--timeout", "1"],
    "ddl": ["gen-ddl", "--apply"],
    "down": ["gen-ddl", "--apply", "--down", "--allow-destructive"],
    "status": ["status", "--timeout", "1"],
    "doctor": ["doctor", "--timeout", "1"],
    "row": ["preview", "--row", "7", "--timeout", "1"],
    "init": ["init", "made", "--service", "orders", "-e", "OrderPlaced:Order"],
}
OF_A_CONNECTOR = (
    "database.password",
    "custom.api.key",
    "ssl.keystore.key",
    "basic.auth.user.info",
    "key.converter.basic.auth.user.info",
    "producer.override.ssl.keystore.key",
    "producer.override.sasl.jaas.config",
    "schema.history.internal.producer.sasl.jaas.config",
    "schema.history.internal.consumer.ssl.key.password",
    "transforms.encrypt.api.key",
    "transforms.encrypt.master-key",
    "transforms.encrypt.signature",
    "custom.authorization",
    "custom.webhook",
    "x.access_key",
    "x.passwd",
    "x.pwd",
    "azure.connection.string",
)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    secret.forget()
    impatience.short_pauses(monkeypatch)
    monkeypatch.setattr(kafka_read, "REQUEST_SECONDS", 0.1)
    monkeypatch.setattr(mongodb, "CONNECT_TIMEOUT_SECONDS", 0.2)  # for which the driver repeats a refused connection
    for name in ("OUTBOX_KIT_DSN", "OUTBOX_KIT_CONNECT", "OUTBOX_KIT_BOOTSTRAP", "OUTBOX_KIT_REGISTRY"):
        monkeypatch.delenv(name, raising=False)
    yield
    secret.forget()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, env: Mapping[str, str] | None = None, pieces: tuple[str, ...] = PIECES) -> str:
    """What a command prints with --debug, which is more than without; fails where there is a piece of the secret.

    Neither may it be in a file that the command writes.
    """
    before = {path for path in Path().rglob("*") if path.is_file()}
    done = CliRunner().invoke(app, ["--debug", "--verbose", *arguments], env=env)
    assert done.exit_code in (0, 1, 2, 3, 4), (arguments, done.exit_code, done.exception)
    told = done.stdout + done.stderr
    written = {path for path in Path().rglob("*") if path.is_file()} - before
    for text in [told, *(path.read_text() for path in written)]:
        assert not [piece for piece in pieces if piece.lower() in text.lower()], text
    return told


def schema_of(dialect: str) -> str:
    Path("outbox.yaml").write_text(SCHEMA.format(dialect=dialect))
    return "orders-outbox"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect != "mariadb"])  # which is MySQL here
def test_an_address_is_never_shown_whatever_is_wrong_with_it(place: Path, dialect: str, command: str) -> None:
    name = schema_of(dialect)
    arguments = COMMANDS[command]
    if dialect != "postgres":
        arguments = [one for one in arguments if one not in ("--drop-slot", "--allow-destructive")]
    if command == "down":
        arguments = COMMANDS[command]
    if command == "init":
        arguments = [*arguments, "--dialect", dialect, "--force"]
    scheme = "postgresql" if dialect == "postgres" else dialect
    with worker(name, {"connector.class": "a.B"}) as there:
        env = {"OUTBOX_KIT_CONNECT": there.url, "PGPASSWORD": "", "PGCONNECT_TIMEOUT": "1"}
        for form in FORMS if command == "adopt" else FORMS[:2]:
            dsn = form.format(scheme=scheme)
            assert dsn not in run(*arguments, env={**env, "OUTBOX_KIT_DSN": dsn})


@pytest.mark.parametrize(
    ("dsn", "why"),
    [
        ("postgresql://me:hunTer2@zYgote9@h/db", "%40"),
        ("mysql://me:hunTer2/zYgote9@h/db", "%2F"),
        ("postgresql://me:1%zz@h/db", "%25"),
    ],
)
def test_it_is_said_what_is_malformed(place: Path, dsn: str, why: str) -> None:
    schema_of(dsn.partition("://")[0].replace("postgresql", "postgres"))
    assert why in run("gen-ddl", "--apply", env={"OUTBOX_KIT_DSN": dsn})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_driver_s_exception_does_not_show_the_password_of_a_right_address(
    place: Path, dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, right = schema_of(dialect), quote("hunTer2@/zYgote9", safe="")
    scheme = "postgresql" if dialect == "postgres" else dialect
    spelled = f"{scheme}://me:{right}@127.0.0.1:1/shop"
    variables = ("PGPASSWORD", "MYSQL_PWD", "SQLCMDPASSWORD", "MONGODB_PASSWORD", "ORACLE_PASSWORD")
    with worker(name, {"connector.class": "a.B"}) as there:
        for dsn, password in [(spelled, ""), (spelled.replace(f":{right}", ""), "hunTer2@/zYgote9")]:
            env = {"OUTBOX_KIT_CONNECT": there.url, "OUTBOX_KIT_DSN": dsn, **dict.fromkeys(variables, password)}
            assert "no connection to the database" in run("adopt", "--timeout", "1", env=env)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_a_driver_says_and_repeats_the_password_is_taken_out(
    place: Path, dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that repeats the address and the password in each form that a text may have."""
    import oracledb
    import psycopg
    import pymongo
    import pymssql
    import pymysql

    password, scheme = "hunTer2@/zYg'<\"ote9", "postgresql" if dialect == "postgres" else dialect
    pieces = ("hunTer2", "ote9")
    right = quote(password, safe="")
    dsn = f"{scheme}://me:{right}@127.0.0.1:1/shop"
    said = f"{dsn} {password} {password!r} {json.dumps(password)} {quote(password)} user=me password='{password}'"

    def fails(kind: type[Exception]) -> Callable[..., None]:
        def connect(*_: object, **__: object) -> None:
            raise kind(said)

        return connect

    monkeypatch.setattr(psycopg, "connect", fails(psycopg.OperationalError))
    mysql = importlib.import_module("outbox_kit.databases.mysql.session")
    monkeypatch.setattr(mysql, "_Connection", fails(pymysql.OperationalError))
    monkeypatch.setattr(pymssql, "connect", fails(pymssql.OperationalError))
    monkeypatch.setattr(oracledb, "connect", fails(oracledb.OperationalError))
    monkeypatch.setattr(pymongo, "MongoClient", fails(pymongo.errors.ConfigurationError))
    with worker(schema_of(dialect), {"connector.class": "a.B"}) as there:
        env = {"OUTBOX_KIT_CONNECT": there.url, "OUTBOX_KIT_DSN": dsn}
        assert secret.HIDDEN in run("adopt", "--timeout", "5", env=env, pieces=pieces)


def test_a_kafka_client_s_properties_are_not_shown(place: Path) -> None:
    schema_of("postgres")
    jaas = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="me" password="hunTer2zYgote9";'
    for lines in (
        f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config={jaas}",
        "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.username=me\nsasl.password=${env:PLANTED}",
        "security.protocol=SSL\nssl.keystore.password=hunTer2zYgote9\nssl.keystore.location=/nowhere",
        "security.protocol=SSL\nssl.key.pem=hunTer2zYgote9",
        "security.protocol=SSL\nssl.truststore.password=hunTer2zYgote9\nno.such.option=1",
        "sasl.oauthbearer.config=hunTer2zYgote9\nsasl.mechanism=OAUTHBEARER\nsecurity.protocol=SASL_PLAINTEXT",
        "sasl.password",
    ):
        Path("client.properties").write_text(f"{lines}\n")
        env = {"OUTBOX_KIT_KAFKA_CONFIG": "client.properties", "PLANTED": "hunTer2zYgote9"}
        run("verify", "inspect", "t-0@1", "-b", "127.0.0.1:1", env=env)
        if "hunTer2" in lines:
            held = repr(Cluster("x", access.settings(Path("client.properties")))) + repr(
                access.settings(Path("client.properties"))
            )
            assert "hunTer2" not in held


def worker(name: str, live: Mapping[str, str], **others: Answer):  # type: ignore[no-untyped-def]
    """A worker that knows one connector."""
    part = {"state": "RUNNING", "worker_id": "w"}
    config = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector", **live}
    good = [{"value": {"name": "x", "errors": []}}]
    script = {
        "GET /": [Answer(200, {"version": "4.3.1"})],
        f"GET /connectors/{name}/config": [Answer(200, config)],
        f"GET /connectors/{name}/status": [Answer(200, {"connector": part, "tasks": [part]})],
        f"GET /connectors/{name}/offsets": [Answer(200, {"offsets": []})],
        f"GET /connectors/{name}/topics": [Answer(200, {name: {"topics": []}})],
    }
    for plugin in ("postgresql.PostgresConnector", "mysql.MySqlConnector", "mongodb.MongoDbConnector"):
        script[f"PUT /connector-plugins/io.debezium.connector.{plugin}/config/validate"] = [
            Answer(200, {"configs": good})
        ]
    return running({**script, **{f"{key}": [answer] for key, answer in others.items()}})


def test_a_live_connector_s_secrets_are_in_no_plan_and_in_no_report(place: Path) -> None:
    name = schema_of("postgres")
    with worker(name, dict.fromkeys(OF_A_CONNECTOR, "hunTer2zYgote9")) as there:
        for form in ("text", "json"):
            told = run("plan", "--connect", there.url, "--format", form)
            assert not [key for key in OF_A_CONNECTOR if key not in told]
        findings = Collector(100, CHECKS.get)
        outbox = read(Path("outbox.yaml")).outbox(None)
        connect = Connect(there.url)
        assert configuration.connector_findings(connect, outbox, Debezium(outbox, connect), findings) is None
    report = Result("orders", findings=list(findings))
    secret.forget()  # what is left is known by its name alone
    texts = [rendered(name, report) for name in FORMATS]
    assert all(any(key in text for text in texts) for key in OF_A_CONNECTOR)
    assert not [text for text in texts if "hunTer2" in text]


def test_an_option_that_is_known_and_no_secret_is_shown() -> None:
    live = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "slot.name": "a"}
    wanted = {**live, "slot.name": "b", "transforms": "x", "key.converter.basic.auth.credentials.source": "USER_INFO"}
    lines = [edit.line() for edit in between(live, wanted)]
    assert "~ slot.name = a -> b   [position]" in lines
    assert "+ key.converter.basic.auth.credentials.source = USER_INFO   [wire]" in lines
    (edit,) = between({"u": "jdbc:x://me:hunTer2/zYgote9@h/db"}, {"u": "http://h?password=hunTer2&x=1"})
    assert "hunTer2" not in edit.line() and "zYgote9" not in edit.line() and "x=1" in edit.line()
    (edit,) = between({"sasl.jaas.config": 'x password="hunTer2" realm="${env:R}"'}, {"sasl.jaas.config": "${env:J}"})
    assert edit.line() == "~ sasl.jaas.config = *** -> ${env:J}"


def test_a_raw_option_s_secret_is_in_the_connector_s_config_and_nowhere_else(place: Path) -> None:
    schema_of("postgres")
    Path("old.yaml").write_text(Path("outbox.yaml").read_text())
    whole = "".join(f"    {key}: hunTer2zYgote9\n" for key in OF_A_CONNECTOR)
    Path("outbox.yaml").write_text(Path("old.yaml").read_text() + f"connect:\n  config:\n{whole}")
    run("gen-connector", "--explain")
    run("check", "--explain")
    for form in ("text", "json", "sarif", "junit", "github"):
        run("check", "--format", form)
    run("gen-ddl", "--diff", "old.yaml", "--allow-destructive")
    run("diff", "--against", "old.yaml")
    run("gen-runbook")
    run("gen-contracts")
    run("gen-code", "python-psycopg")
    run("preview")
    with worker("orders-outbox", {}) as there:
        for form in ("text", "json"):
            run("plan", "--connect", there.url, "--format", form)
            run(
                "deploy-connector", "--yes", "--connect", there.url, "--format", form, "--timeout", "1"
            )  # PUT is not in the script
    made = CliRunner().invoke(app, ["gen-connector"])
    config = json.loads(made.stdout)["config"]
    assert {config[key] for key in OF_A_CONNECTOR} == {"hunTer2zYgote9"}
    Path("connector.json").write_text(made.stdout)
    for form in ("text", "json", "sarif", "junit", "github"):
        run("check", "connector.json", "--format", form)
    run("preview", "connector.json")


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("service: orders\nconnect:\n  config:\n    database.password: [hunTer2zYgote9]\n", "outbox.yaml"),
        ("service: orders\ndatabase: {dialect: postgres, password: hunTer2zYgote9}\n", "outbox.yaml"),
        ("service: orders\ndatabase:\n  password: 'hunTer2zYgote9\n", "outbox.yaml"),
        ('{"name": "x", "config": {"database.password": "hunTer2zYgote9" "a": 1}}', "x.json"),
        ('{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "database.password": 1,', "x.json"),
    ],
)
def test_a_file_that_cannot_be_read_is_described_without_its_secrets(place: Path, text: str, file: str) -> None:
    Path(file).write_text(text)
    run("check", file)


@pytest.mark.parametrize(
    "url",
    [
        "http://me:hunTer2@zYgote9@127.0.0.1:1",
        "http://me:hunTer2/zYgote9@127.0.0.1:1",
        "http://me:hunTer2#zYgote9@127.0.0.1:1",
        "http://me:hunTer2zYgote9@127.0.0.1:1",
        "me:hunTer2zYgote9@127.0.0.1:1",
        "http://me:hunTer2@[zYgote9",
        "http://me:hunTer2@127.0.0.1:zYgote9",
        "http://127.0.0.1:1,http://me:hunTer2zYgote9@127.0.0.1:1",
    ],
)
def test_credentials_in_an_address_of_connect_or_of_a_registry_are_not_shown(place: Path, url: str) -> None:
    schema_of("postgres")
    captured = Path("messages.json")
    captured.write_text("[]")
    Path("outbox.yaml").write_text(Path("outbox.yaml").read_text() + "table: {payload: bytes, registry: avro}\n")
    run("status", "--connect", url, "--timeout", "1")
    run("plan", "--connect", url, "--timeout", "1")
    run("remove", "--connect", url, "--timeout", "1")
    run("verify", "--messages", "messages.json", "--registry", url)


@pytest.mark.parametrize("ending", ["", "\n", "é"])
@pytest.mark.parametrize("name", ["PASSWORD", "TOKEN"])
def test_credentials_that_a_worker_or_a_registry_repeats_are_not_shown(place: Path, name: str, ending: str) -> None:
    schema_of("postgres")
    import base64

    value = f"hunTer2zYgote9{ending}"
    basic = base64.b64encode(f"me:{value}".encode()).decode()
    said = Answer(401, {"error_code": 401, "message": f"who is {value}, Basic {basic}, Bearer {value}?"})
    with running({f"GET /connectors/orders-outbox/{what}": [said] for what in ("status", "config")}) as there:
        env = {"OUTBOX_KIT_CONNECT_USER": "me", f"OUTBOX_KIT_CONNECT_{name}": value}
        told = run("status", "--connect", there.url, env=env)
    assert basic not in told or name == "TOKEN"


def test_the_role_s_password_is_not_shown(place: Path) -> None:
    schema_of("postgres")
    dsn = "postgresql://me@127.0.0.1:1/shop"
    run("gen-ddl", "--apply", "--password-env", "PLANTED", env={"PLANTED": "hunTer2zYgote9", "OUTBOX_KIT_DSN": dsn})


@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_of_our_own_shows_no_secret(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], debug: bool
) -> None:
    schema_of("postgres")
    monkeypatch.setenv("OUTBOX_KIT_DSN", "postgresql://me:hunTer2zYgote9@127.0.0.1:1/shop")

    def bug(*_: object) -> None:
        raise RuntimeError("postgresql://me:hunTer2zYgote9@127.0.0.1:1/shop, with hunTer2zYgote9")

    monkeypatch.setattr("outbox_kit.delivery.debezium.connector.Debezium.health", bug)
    monkeypatch.setattr(sys, "argv", ["outbox-kit", *(["--debug"] if debug else []), "status"])
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    with pytest.raises(SystemExit) as ended:
        boundary.main()
    told = capsys.readouterr()
    assert ended.value.code == 70
    assert ("Traceback" in told.err) is debug and "RuntimeError" in told.err
    assert "hunTer2" not in told.err + told.out


def test_a_text_is_cleaned_while_another_thread_reads_secrets() -> None:
    for number in range(3000):
        secret.remember(f"planted-word-{number}")

    def remember(_: int, ended: threading.Event) -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            secret.remember(f"later-word-{number}")

    with beside(remember):
        for _ in range(50):
            assert secret.hidden("the password is planted-word-7.") == f"the password is {secret.HIDDEN}."


def test_a_common_word_is_not_taken_out_of_everything() -> None:
    for word in ("test", "postgres", "error", "1234", ""):
        secret.remember(word)
    assert secret.hidden("error: 1234 events of postgres test") == "error: 1234 events of postgres test"
    secret.remember_address("postgresql://test:test@test/test")
    assert secret.hidden("at postgresql://test:test@test/test") == "at postgresql://test:***@test/test"
