"""TLS and SASL everywhere: a broker, a worker of Connect and PostgreSQL that accept nothing else, and their refusals.

The certificates are of an authority that the tests make. What is planted as a password is in no output: see `safe`.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from click.testing import Result

from outbox_kit.kafka import read
from tests.live.guarded import (
    PLAIN,
    PLAIN_PASSWORD,
    SCRAM,
    SCRAM_PASSWORD,
    STORE_PASSWORD,
    USER,
    TlsBroker,
    tls_broker,
    tls_worker,
)
from tests.live.relayed import RELEASES
from tests.support import planted
from tests.support.certificates import Authority
from tests.support.cli import invoke
from tests.support.faults import FAULTS
from tests.support.servers import PASSWORD, SERVERS
from tests.support.servers.mysql import MySql
from tests.support.servers.tls_postgres import TlsPostgres, tls_postgres
from tests.support.waiting import until

CONNECTOR_PASSWORD = "connector-zYgote9"  # noqa: S105 - of a role that lives as long as the test
SCHEMA = """
service: shop
database:
  dialect: postgres
  name: postgres
  host: localhost
  port: {port}
events: [{{type: OrderPlaced, aggregate: Order}}]
routing: {{topic: "{{service}}.{{aggregate}}"}}
connect:
  heartbeat_ms: 500
  topics: {{replication_factor: 1, partitions: 1}}
  config:
    poll.interval.ms: "100"
    database.sslmode: verify-full
    database.sslrootcert: {authority}
"""
INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (gen_random_uuid(), 'Order', '4711', 'OrderPlaced', '{"total": 1}')
"""


@dataclass(frozen=True)
class Systems:
    """All that runs, and the folder with the authorities and what they issue."""

    folder: Path
    authority: Authority
    other: Authority
    broker: TlsBroker
    worker: str
    postgres: TlsPostgres

    def properties(self, name: str, values: Mapping[str, object]) -> str:
        """A file of client properties."""
        path = self.folder / f"{name}.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in values.items()))
        return str(path)

    def dsn(self, **options: object) -> str:
        """The database's address, without a password."""
        options = {"sslmode": "verify-full", "sslrootcert": self.authority.file, "user": "postgres", **options}
        words = " ".join(f"{name}={value}" for name, value in options.items() if value)
        return f"host=localhost port={self.postgres.port} dbname=postgres {words}"

    def relay(self, guarantee: str) -> str:
        """The schema file of an outbox that a relay publishes."""
        path, name = self.folder / f"{guarantee}.yaml", guarantee.replace("-", "_")
        text = SCHEMA.partition("connect:")[0].replace("service: shop", f"service: {name}")
        more = f"table: {{name: outbox_{name}}}\ndelivery: {{by: relay}}\ndelivery_guarantee: {guarantee}\n"
        path.write_text(text.format(port=self.postgres.port) + "connect: {topics: {replication_factor: 1}}\n" + more)
        return str(path)

    @property
    def environment(self) -> dict[str, str]:
        """What lets every command in."""
        scram = {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.jaas.config": f'{SCRAM} username="{USER}" password="${{env:KAFKA_PASSWORD}}";',
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": self.authority.file,
            "ssl.endpoint.identification.algorithm": "https",
            "key.serializer": "org.apache.kafka.common.serialization.StringSerializer",
        }
        return {
            "KAFKA_PASSWORD": SCRAM_PASSWORD,
            "PGPASSWORD": PASSWORD,
            "OUTBOX_DB_PASSWORD": CONNECTOR_PASSWORD,
            "OUTBOX_KIT_DSN": self.dsn(),
            "OUTBOX_KIT_FILE": str(self.folder / "outbox.yaml"),
            "OUTBOX_KIT_BOOTSTRAP": self.broker.address("SASL"),
            "OUTBOX_KIT_KAFKA_CONFIG": self.properties("client", scram),
            "OUTBOX_KIT_CONNECT": self.worker,
            "OUTBOX_KIT_CONNECT_CA": str(self.authority.file),
            "OUTBOX_KIT_CONNECT_CERTIFICATE": str(self.folder / "client.pem"),
            "OUTBOX_KIT_CONNECT_KEY": str(self.folder / "client-key.pem"),
            "OUTBOX_KIT_CONNECT_KEY_PASSWORD": STORE_PASSWORD,
        }

    def run(self, *arguments: str, code: int | None = 0, **changes: object) -> Result:
        """A command. changes: of its environment; None takes a variable out."""
        environment = {**self.environment, **{name: str(value) for name, value in changes.items()}}
        result = invoke(*arguments, *planted.confirmation(arguments[0]), code=code, environment=environment)
        assert "zYgote9" not in result.output and PASSWORD not in result.output and "Traceback" not in result.output
        return result


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Systems]:
    folder = tmp_path_factory.mktemp("tls")
    authority, other = Authority(folder), Authority(folder, "other")
    authority.issue("client", password=STORE_PASSWORD.encode())
    for name in ("kafka", "connect"):
        (folder / name).mkdir()
    with (
        tls_postgres(authority) as postgres,
        tls_broker(folder / "kafka", authority) as broker,
        tls_worker(folder / "connect", broker, authority, CONNECTOR_PASSWORD) as worker,
    ):
        text = SCHEMA.format(port=postgres.port, authority=authority.file)
        (folder / "outbox.yaml").write_text(text)
        yield Systems(folder, authority, other, broker, worker, postgres)


@pytest.fixture(scope="module")
def deployed(systems: Systems) -> None:
    """An outbox whose connector publishes, with an event."""
    systems.run("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    systems.run("deploy-connector", "--yes", "--probe", "--stable-for", "1")
    with psycopg.connect(systems.dsn(password=PASSWORD), autocommit=True) as application:
        application.execute(INSERT)


@pytest.mark.usefixtures("deployed")
def test_every_command_works_through_tls_and_sasl(systems: Systems) -> None:
    assert "PASS" in systems.run("verify").stdout
    systems.run("verify", "--workers", "2")
    systems.run("status")
    assert "PASS" in systems.run("doctor").stdout


@pytest.mark.parametrize("guarantee", ["at-least-once", "exactly-once"])
def test_a_relay_publishes_through_tls_and_sasl(systems: Systems, guarantee: str) -> None:
    file = systems.relay(guarantee)
    systems.run("gen-ddl", "--apply", OUTBOX_KIT_FILE=file)
    with psycopg.connect(systems.dsn(password=PASSWORD), autocommit=True) as application:
        application.execute(INSERT.replace("outbox", f"outbox_{guarantee.replace('-', '_')}"))
    systems.run("relay", "--once", OUTBOX_KIT_FILE=file)
    assert "PASS" in systems.run("verify", OUTBOX_KIT_FILE=file).stdout


ACCESS = {
    "PLAIN": {"sasl.mechanism": "PLAIN", "sasl.jaas.config": f'{PLAIN} username="{USER}" password="{PLAIN_PASSWORD}";'},
    "SCRAM-SHA-256": {"sasl.mechanism": "SCRAM-SHA-256", "sasl.username": USER, "sasl.password": SCRAM_PASSWORD},
}


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("mechanism", ACCESS)
def test_each_mechanism_of_sasl_lets_in(systems: Systems, mechanism: str) -> None:
    values = {"security.protocol": "SASL_SSL", "ssl.ca.location": systems.authority.file, **ACCESS[mechanism]}
    file = systems.properties(mechanism, values)
    systems.run("verify", "inspect", "shop.Order-0@0", OUTBOX_KIT_KAFKA_CONFIG=file)


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("form", ["pem", "pem with a password", "pkcs12", "values"])
def test_a_client_certificate_lets_in(systems: Systems, form: str) -> None:
    """Mutual TLS, with the key store in each form that this client reads."""
    authority, password = systems.authority, STORE_PASSWORD.encode()
    issued = authority.issue("mutual", password=password if "password" in form else None)
    values: dict[str, object] = {"security.protocol": "SSL", "ssl.key.password": STORE_PASSWORD}
    values |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": authority.file}
    if form == "pkcs12":
        store = authority.key_store("mutual", password)
        values |= {"ssl.keystore.location": store, "ssl.keystore.password": STORE_PASSWORD}
    elif form == "values":
        del values["ssl.truststore.type"], values["ssl.truststore.location"], values["ssl.key.password"]
        for name, path in {
            "ssl.truststore.certificates": authority.file,
            "ssl.keystore.certificate.chain": issued.certificate,
            "ssl.keystore.key": issued.key,
        }.items():
            values[name] = path.read_text().replace("\n", "\\n")
    else:
        values |= {"ssl.keystore.type": "PEM", "ssl.keystore.location": issued.both}
    file = systems.properties("mutual", values)
    address = systems.broker.address("MUTUAL")
    systems.run("verify", "inspect", "shop.Order-0@0", OUTBOX_KIT_BOOTSTRAP=address, OUTBOX_KIT_KAFKA_CONFIG=file)


MARIADB = """
service: store
database: {{dialect: mariadb, host: 127.0.0.1, port: {port}}}
events: [{{type: OrderPlaced, aggregate: Order}}]
routing: {{topic: "{{service}}.{{aggregate}}"}}
connect:
  bootstrap: {bootstrap}
  heartbeat_ms: 500
  debezium: "{release}"
  topics: {{replication_factor: 1, partitions: 1}}
  config:
{config}
"""


def test_a_connector_s_own_clients_use_tls_and_secrets_by_reference(systems: Systems) -> None:
    """Its driver, and the clients of its schema history, which do not inherit the worker's settings."""
    secrets = systems.folder / "connect" / "secrets" / "mariadb.properties"
    login = f'{SCRAM} username="{USER}" password="{SCRAM_PASSWORD}";'
    secrets.write_text(f"login={login}\nstore={STORE_PASSWORD}\n")
    access = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.jaas.config": f"${{file:{secrets}:login}}",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": systems.authority.file,
    }
    config: dict[str, object] = {
        "database.ssl.mode": "verify-full",
        "database.ssl.truststore": systems.folder / "trust.p12",
        "database.ssl.truststore.password": f"${{file:{secrets}:store}}",
        "poll.interval.ms": "100",
    }
    for client in ("producer", "consumer"):
        config |= {f"schema.history.internal.{client}.{name}": value for name, value in access.items()}
    with SERVERS["mariadb"]() as server:
        assert isinstance(server, MySql)
        issued = systems.authority.issue("mariadb")
        for source, target in ((issued.certificate, "server-cert.pem"), (issued.key, "server-key.pem")):
            shutil.copyfile(source, server.socket.parent / target)
        server.ask("flush ssl")
        server.ask("set global require_secure_transport = on")
        server.create("store")
        lines = "\n".join(f"    {name}: {json.dumps(str(value))}" for name, value in config.items())
        values = {"port": server.port, "bootstrap": systems.broker.address("SASL"), "release": RELEASES["mariadb"]}
        file = systems.folder / "mariadb.yaml"
        file.write_text(MARIADB.format(config=lines, **values))
        address = f"mysql://boss@127.0.0.1:{server.port}/store?ssl-mode=verify-identity&ssl-ca={systems.authority.file}"
        environment = {"OUTBOX_KIT_FILE": file, "OUTBOX_KIT_DSN": address, "MYSQL_PWD": PASSWORD}
        systems.run("check", **environment)
        systems.run("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD", **environment)
        systems.run("deploy-connector", "--yes", "--probe", "--stable-for", "1", **environment)
        systems.run("remove", "--allow-destructive", **environment)


EXPIRED, HOST, AUTHORITY = "has expired", "issued for another host", "issued by an unknown authority"
MISSING, REFUSED = "requires a client certificate", "did not accept the client certificate"
NO_TLS, NEEDS_TLS = "does not use TLS", "requires TLS"
NOTHING = {"OUTBOX_KIT_CONNECT_CERTIFICATE": "", "OUTBOX_KIT_CONNECT_KEY": ""}


def presented(systems: Systems, authority: Authority, days: int = 1) -> dict[str, str]:
    """Another client certificate for Connect."""
    issued = authority.issue("presented", days=days)
    files = {"CERTIFICATE": issued.certificate, "KEY": issued.key}
    return {f"OUTBOX_KIT_CONNECT_{name}": str(path) for name, path in files.items()}


@pytest.mark.parametrize(
    ("case", "why", "fix"),
    [
        ("authority", AUTHORITY, "OUTBOX_KIT_CONNECT_CA"),
        ("no authority", AUTHORITY, "OUTBOX_KIT_CONNECT_CA"),
        ("no certificate", MISSING, "OUTBOX_KIT_CONNECT_CERTIFICATE"),
        ("of another authority", REFUSED, "OUTBOX_KIT_CONNECT_CERTIFICATE"),
        ("expired", REFUSED, "OUTBOX_KIT_CONNECT_CERTIFICATE"),
        ("in clear", NEEDS_TLS, "https://"),
    ],
)
def test_a_worker_s_refusal_is_one_message(systems: Systems, case: str, why: str, fix: str) -> None:
    changes = {
        "authority": lambda: {"OUTBOX_KIT_CONNECT_CA": systems.other.file},
        "no authority": lambda: {"OUTBOX_KIT_CONNECT_CA": ""},
        "no certificate": lambda: NOTHING,
        "of another authority": lambda: presented(systems, systems.other),
        "expired": lambda: presented(systems, systems.authority, days=-1),
        "in clear": lambda: {"OUTBOX_KIT_CONNECT": systems.worker.replace("https", "http")},
    }[case]()
    refused(systems, ["plan"], changes, "no TLS connection to Kafka Connect", why, fix)
    if case == "expired":
        examined(systems, "the client certificate for Kafka Connect has expired", changes, why, fix)


def examined(systems: Systems, fault: str, changes: Mapping[str, object], why: str, fix: str) -> None:
    """`doctor` names a fault, with its cause and its fix."""
    report = json.loads(systems.run("doctor", "--format", "json", code=None, **changes).stdout)
    (finding,) = (finding for finding in report["findings"] if finding["id"] == FAULTS[fault])
    assert why in finding["message"] and fix in finding["fix"], finding


def refused(systems: Systems, command: list[str], changes: Mapping[str, object], what: str, why: str, fix: str) -> None:
    """One message with these parts, and the exit code of an environment that refuses."""
    text = systems.run(*command, code=4, **changes).stderr
    parts = dict(line.strip().split(None, 1) for line in text.splitlines() if line.startswith(("error:", "  ")))
    assert text.count("\nerror: ") + text.startswith("error: ") == 1 and what in parts["error:"], text
    assert why in parts["why"] and fix in parts["fix"], text


KAFKA = {
    "expired": ("EXPIRED", {}, EXPIRED, "renew the certificate"),
    "host": ("ELSEWHERE", {}, HOST, "--bootstrap"),
    "authority": ("SASL", {"ssl.ca.location": "other.pem"}, AUTHORITY, "ssl.truststore.location"),
    "no certificate": ("MUTUAL", {}, MISSING, "ssl.keystore.location"),
    "expired certificate": ("MUTUAL", {"ssl.keystore.location": "gone-both.pem"}, REFUSED, "ssl.keystore.location"),
    "in clear": ("MUTUAL", {"security.protocol": "PLAINTEXT"}, NEEDS_TLS, "security.protocol=SSL"),
}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "REQUEST_SECONDS", 4.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("case", KAFKA)
def test_a_broker_s_refusal_is_one_message(systems: Systems, case: str) -> None:
    listener, changes, why, fix = KAFKA[case]
    systems.authority.issue("gone", days=-1)
    access = {"security.protocol": "SSL", "ssl.ca.location": systems.authority.file, "ssl.keystore.type": "PEM"}
    if listener == "SASL":
        access |= {"security.protocol": "SASL_SSL", **ACCESS["SCRAM-SHA-256"]}
    for name, value in changes.items():
        access[name] = systems.folder / value if value and "location" in name else value
    file = systems.properties("refused", {name: value for name, value in access.items() if value})
    environment = {"OUTBOX_KIT_BOOTSTRAP": systems.broker.address(listener), "OUTBOX_KIT_KAFKA_CONFIG": file}
    refused(systems, ["verify", "--no-table"], environment, "no TLS connection to Kafka", why, fix)
    if case == "expired":
        examined(systems, "the certificate of a broker has expired", environment, why, fix)


@pytest.mark.parametrize("guarantee", ["at-least-once", "exactly-once"])
def test_a_relay_that_a_broker_does_not_let_in_names_the_reason(systems: Systems, guarantee: str) -> None:
    file = systems.relay(guarantee)
    systems.run("gen-ddl", "--apply", OUTBOX_KIT_FILE=file)
    with psycopg.connect(systems.dsn(password=PASSWORD), autocommit=True) as application:
        application.execute(INSERT.replace("outbox", f"outbox_{guarantee.replace('-', '_')}"))
    values = {"security.protocol": "SSL", "ssl.ca.location": systems.authority.file}
    changes = {
        "OUTBOX_KIT_FILE": file,
        "OUTBOX_KIT_BOOTSTRAP": systems.broker.address("EXPIRED"),
        "OUTBOX_KIT_KAFKA_CONFIG": systems.properties("relay", values),
    }
    refused(systems, ["relay", "--once"], changes, "no TLS connection to Kafka", EXPIRED, "renew the certificate")
    wrong = {"OUTBOX_KIT_FILE": file, "KAFKA_PASSWORD": "wrong-zYgote9"}
    refused(systems, ["relay", "--once"], wrong, "Kafka authentication failed", "failed", "--kafka-config")


@pytest.mark.usefixtures("impatient")
def test_a_password_that_a_broker_refuses_is_not_shown(systems: Systems) -> None:
    result = systems.run("verify", "--no-table", code=4, KAFKA_PASSWORD="wrong-zYgote9")  # noqa: S106
    assert "Kafka authentication failed" in result.stderr
    clear = {"OUTBOX_KIT_BOOTSTRAP": systems.broker.plain}
    assert "does not use TLS" in systems.run("verify", "--no-table", code=4, **clear).stderr


@pytest.mark.parametrize(
    ("options", "why", "fix"),
    [
        ({"sslrootcert": "{folder}/other.pem"}, AUTHORITY, "sslrootcert"),
        ({"sslrootcert": "/nowhere"}, "cannot be used", "sslrootcert"),
        ({"user": "certified"}, MISSING, "sslcert"),
        (
            {"user": "certified", "sslcert": "{folder}/stranger.pem", "sslkey": "{folder}/stranger-key.pem"},
            REFUSED,
            "sslcert",
        ),
        ({"sslmode": "disable"}, NEEDS_TLS, "sslmode=verify-full"),
        ({"host": "db.example", "hostaddr": "127.0.0.1"}, HOST, "OUTBOX_KIT_DSN"),
    ],
)
def test_a_database_s_refusal_is_one_message(systems: Systems, options: dict[str, str], why: str, fix: str) -> None:
    systems.other.issue("stranger")
    dsn = systems.dsn(**{name: value.format(folder=systems.folder) for name, value in options.items()})
    command = ["gen-ddl", "--apply"]
    refused(systems, command, {"OUTBOX_KIT_DSN": dsn}, "no connection to the database", why, fix)


WORK = ("gen-ddl", "status", "doctor", "verify", "verify shard", "verify merge", "verify follow", "relay")
"""Commands that end with exit code 0 here, before others change the connector."""
REPEATED = ("verify shard",)
"""Commands that do not write over what they have written."""
SLOW = "verify selftest"
"""It takes a quarter of a minute, and reads topics of its own only."""


@pytest.mark.usefixtures("deployed")
def test_no_command_shows_a_secret_while_all_works(systems: Systems, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as in `tests/faults/test_no_secret_anywhere.py`, with the secrets that let in."""
    folder = systems.folder / "planted"
    folder.mkdir()
    monkeypatch.chdir(folder)
    systems.run("gen-ddl", "--apply", OUTBOX_KIT_FILE=systems.relay("at-least-once"))
    text, relayed = (systems.folder / "outbox.yaml").read_text(), Path(systems.relay("at-least-once")).read_text()
    with planted.inspection(PASSWORD) as inspected:
        inspected.switches = (["--verbose", "--debug"],)
        others = planted.commands().keys() - planted.LONG.keys() - {SLOW, "remove", *WORK}
        for name in (*WORK, *sorted(others), "remove"):
            Path("outbox.yaml").write_text(relayed if name.startswith("relay") else text)
            Path("connector.json").write_text(systems.run("gen-connector").stdout)
            Path("contract.yaml").write_text(systems.run("gen-contracts").stdout)
            environment = {**systems.environment, "OUTBOX_KIT_FILE": "outbox.yaml"}
            for arguments in planted.invocations(name, limit=None if name in WORK else 15):
                if arguments[-1] == "json":
                    continue  # as in the other test
                code = inspected.run(arguments, environment)
                assert code == 0 or name not in WORK or name in REPEATED, arguments
        assert inspected.started


def test_a_database_lets_in_a_client_certificate_and_presents_an_expired_one(systems: Systems) -> None:
    """Last, because of what it does to the server."""
    issued = systems.authority.issue("certified")
    dsn = systems.dsn(user="certified", sslcert=issued.certificate, sslkey=issued.key)
    command = ["gen-ddl", "--apply"]
    systems.run(*command, OUTBOX_KIT_DSN=dsn)
    systems.postgres.present(systems.authority.issue("expired-database", days=-1))
    until(lambda: EXPIRED in systems.run(*command, code=None).stderr, "the server presents the certificate")
    refused(systems, command, {}, "no connection to the database", EXPIRED, "renew the certificate")
    systems.postgres.allow_clear()
    until(lambda: NO_TLS in systems.run(*command, code=None).stderr, "the server accepts connections without TLS")
    refused(systems, command, {}, "no connection to the database", NO_TLS, "sslmode=disable")
