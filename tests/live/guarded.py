"""A broker and a worker of Connect that let in clients by TLS and SASL only; an authority of a test issues for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from outbox_kit.stack.processes import Process, answers, free_ports, start, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace
from tests.support.certificates import Authority, Issued

MODULES = "org.apache.kafka.common.security"
PLAIN, SCRAM = f"{MODULES}.plain.PlainLoginModule required", f"{MODULES}.scram.ScramLoginModule required"
USER, PLAIN_PASSWORD, SCRAM_PASSWORD = "kit", "plain-zYgote9", "scram-zYgote9"
STORE_PASSWORD = "store-zYgote9"  # noqa: S105 - of files that live as long as the test
LISTENERS = {"SASL": "SASL_SSL", "MUTUAL": "SSL", "EXPIRED": "SSL", "ELSEWHERE": "SSL"}
HELD = "listeners.https.ssl."


@dataclass(frozen=True)
class TlsBroker:
    """A broker with a listener for each kind of access, and two whose certificates are wrong."""

    process: Process
    plain: str
    """Without TLS, for the test itself."""
    ports: dict[str, int]

    def address(self, listener: str, host: str = "localhost") -> str:
        """The address of a listener."""
        return f"{host}:{self.ports[listener]}"


def _pem(prefix: str, issued: Issued, authority: Authority, client: str = "none") -> dict[str, Any]:
    """What a listener presents and accepts."""
    return {
        f"{prefix}ssl.keystore.type": "PEM",
        f"{prefix}ssl.keystore.location": issued.both,
        f"{prefix}ssl.truststore.type": "PEM",
        f"{prefix}ssl.truststore.location": authority.file,
        f"{prefix}ssl.client.auth": client,
    }


def _add(path: Path, values: dict[str, Any]) -> None:
    with path.open("a") as properties:
        properties.writelines(f"{name}={value}\n" for name, value in values.items())


@contextmanager
def tls_broker(folder: Path, authority: Authority) -> Iterator[TlsBroker]:
    """A broker for the length of a block."""
    plain, controller, *numbers = free_ports(2 + len(LISTENERS))
    ports, place = (
        dict(zip(LISTENERS, numbers, strict=True)),
        StackPlace(folder, folder, 0, plain, controller, 0, "", ""),
    )
    SERVICES["kafka"].set_up(place)
    server = authority.issue("broker")
    issued = {
        "EXPIRED": authority.issue("expired-broker", days=-1),
        "ELSEWHERE": authority.issue("elsewhere", ["elsewhere.example"]),
    }
    own = ",".join(f"{name}://localhost:{port}" for name, port in ports.items())
    settings: dict[str, Any] = {
        "listeners": f"PLAINTEXT://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller},{own}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{plain},{own}",
        "listener.security.protocol.map": ",".join(
            f"{name}:{protocol}"
            for name, protocol in {"PLAINTEXT": "PLAINTEXT", "CONTROLLER": "PLAINTEXT", **LISTENERS}.items()
        ),
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
        "listener.name.sasl.plain.sasl.jaas.config": f'{PLAIN} user_{USER}="{PLAIN_PASSWORD}";',
        "listener.name.sasl.scram-sha-256.sasl.jaas.config": f"{SCRAM};",
        "listener.name.sasl.scram-sha-512.sasl.jaas.config": f"{SCRAM};",
    }
    for name in LISTENERS:
        mutual = "required" if name == "MUTUAL" else "none"
        settings |= _pem(f"listener.name.{name.lower()}.", issued.get(name, server), authority, mutual)
    _add(folder / "kafka.properties", settings)
    process = start(SERVICES["kafka"].command(place), place.log("kafka"), owned=True)
    try:
        wait_until(lambda: answers(ports["SASL"]), process, place.log("kafka"), "kafka")
        broker = TlsBroker(process, f"127.0.0.1:{plain}", ports)
        for mechanism in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512):
            _create_user(broker, mechanism)
        yield broker
    finally:
        process.kill()


def _create_user(broker: TlsBroker, mechanism: ScramMechanism) -> None:
    credential = UserScramCredentialUpsertion(USER, ScramCredentialInfo(mechanism, 4096), SCRAM_PASSWORD.encode())
    admin = AdminClient({"bootstrap.servers": broker.plain})
    for answer in admin.alter_user_scram_credentials([credential]).values():
        answer.result()


@contextmanager
def tls_worker(folder: Path, broker: TlsBroker, authority: Authority, database_password: str) -> Iterator[str]:
    """The URL of a worker that requires a client certificate, and reaches its broker with SCRAM over TLS."""
    secure, clear = free_ports(2)
    place = StackPlace(folder, folder, 0, broker.ports["SASL"], 0, clear, "", database_password)
    service = SERVICES["connect"]
    service.set_up(place)
    access = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.jaas.config": f'{SCRAM} username="{USER}" password="{SCRAM_PASSWORD}";',
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": authority.file,
    }
    stores = {
        f"{HELD}keystore.location": authority.key_store("worker", STORE_PASSWORD.encode()),
        f"{HELD}truststore.location": authority.trust_store(STORE_PASSWORD.encode()),
        f"{HELD}client.auth": "required",
        f"{HELD}key.password": STORE_PASSWORD,
    }
    for store in ("keystore", "truststore"):
        stores |= {f"{HELD}{store}.type": "PKCS12", f"{HELD}{store}.password": STORE_PASSWORD}
    prefixed = {
        f"{prefix}{key}": value for prefix in ("", "producer.", "consumer.", "admin.") for key, value in access.items()
    }
    # the listener in clear is for the question whether the worker is ready
    listeners = f"HTTPS://localhost:{secure},HTTP://127.0.0.1:{clear}"
    _add(
        folder / "connect.properties",
        {**prefixed, "bootstrap.servers": broker.address("SASL"), "listeners": listeners, **stores},
    )
    process = start(service.command(place), place.log("connect"), environment=service.environment(place), owned=True)
    try:
        wait_until(lambda: service.ready(place), process, place.log("connect"), "connect")
        yield f"https://localhost:{secure}"
    finally:
        process.kill()
