"""A broker of a test's own, from the stack's files: it asks who is there, knows rights, and may die."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.stack.processes import Process, answers, free_ports, start, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace

USERS = {"owner": "it is mine", "reader": "let me in", "connect": "a worker", "outbox-kit": "a verifier"}
LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


@dataclass(frozen=True)
class Broker:
    """Two ways in: `bootstrap` asks nothing, `guarded` asks who is there; the reader may what ACLs say."""

    process: Process
    start: Callable[[], Process]
    """Starts it again, on the same data, after it was ended; the caller ends that process."""
    bootstrap: str
    guarded: str
    controller: str
    """The address of its controller, for other brokers of its cluster."""

    def access(self, user: str, password: str | None = None) -> dict[str, str]:
        """What a client must be set to, to be let in as somebody."""
        module = f'{LOGIN} username="{user}" password="{password or USERS[user]}";'
        return {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": module}


@contextmanager
def broker(folder: Path) -> Iterator[Broker]:
    """A broker for the length of a block. folder: for its data and its log."""
    plain, controller, guarded = free_ports(3)
    place = StackPlace(folder, folder, 0, plain, controller, 0, "", "")
    SERVICES["kafka"].set_up(place)
    users = " ".join(f'user_{name}="{password}"' for name, password in USERS.items())
    own = {
        "listeners": f"PLAINTEXT://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller},LOGIN://127.0.0.1:{guarded}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{plain},LOGIN://127.0.0.1:{guarded}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOGIN:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.login.plain.sasl.jaas.config": f"{LOGIN} {users};",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:owner",
    }
    with (folder / "kafka.properties").open("a") as properties:
        properties.writelines(f"{name}={value}\n" for name, value in own.items())

    def again() -> Process:
        begun = start(SERVICES["kafka"].command(place), place.log("kafka"), owned=True)
        wait_until(lambda: answers(guarded), begun, place.log("kafka"), "kafka")
        return begun

    process = start(SERVICES["kafka"].command(place), place.log("kafka"), owned=True)
    try:
        wait_until(lambda: answers(guarded), process, place.log("kafka"), "kafka")
        yield Broker(process, again, *(f"127.0.0.1:{port}" for port in (plain, guarded, controller)))
    finally:
        process.kill()


@contextmanager
def second(folder: Path, first: Broker) -> Iterator[Process]:
    """The broker with the id 2 of another one's cluster, for the length of a block. folder: as for `broker`."""
    (port,) = free_ports(1)
    place = StackPlace(folder, folder, 0, port, 0, 0, "", "")
    SERVICES["kafka"].set_up(place)
    listener = f"PLAINTEXT://127.0.0.1:{port}"
    own = {
        "process.roles": "broker",
        "node.id": "2",
        "controller.quorum.voters": f"1@{first.controller}",
        "listeners": listener,
        "advertised.listeners": listener,
    }
    with (folder / "kafka.properties").open("a") as properties:
        properties.writelines(f"{name}={value}\n" for name, value in own.items())
    with (place.data / "kafka" / "meta.properties").open("a") as identity:
        identity.writelines(["node.id=2\n", "directory.id=c2Vjb25kLWJyb2tlcnMtLQ\n"])
    process = start(SERVICES["kafka"].command(place), place.log("kafka"), owned=True)
    try:
        wait_until(lambda: answers(port), process, place.log("kafka"), "kafka")
        yield process
    finally:
        process.kill()
