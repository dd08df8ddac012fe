"""RabbitMQ from Debian's packages."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pika
import psutil
from pika.exceptions import AMQPError

from outbox_kit.stack import processes
from tests.support.servers import debian
from tests.support.waiting import until

ERLANG = (
    "base asn1 crypto public-key mnesia runtime-tools ssl eldap ftp tftp inets snmp os-mon parsetools syntax-tools "
    "tools xmerl"
)
PACKAGES = ["rabbitmq-server", *(f"erlang-{part}" for part in ERLANG.split())]
SETTINGS = """
loopback_users.guest = true
disk_free_limit.absolute = 50MB
max_message_size = 1000000
"""


@dataclass
class Broker:
    """A broker on a port of loopback, with its user guest. It can be killed and started again."""

    root: Path
    """Where the packages are unpacked."""
    folder: Path
    """Its data, its log and its settings."""
    port: int
    epmd_port: int
    distribution_port: int
    process: processes.Process | None = None

    @property
    def url(self) -> str:
        """Its address, as OUTBOX_KIT_SINK_URL has it."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        (program,) = self.root.glob("usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server")
        log = self.folder / "log"
        self.process = processes.start([str(program)], log, owned=True, environment=self.environment())
        processes.wait_until(self._answers, self.process, log, "RabbitMQ")

    def kill(self) -> None:
        """End it as a crash does."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Let it end by itself, which writes its queues to the disk for good, and start it again.

        Killed within two seconds of the declaration of a durable queue, it had lost the queue in 4 of 148 tries.
        """
        self._end(signal.SIGTERM)
        self.start()

    def _end(self, sign: signal.Signals) -> None:
        """Send a signal to its whole group, because Erlang outlives the shell that has started it."""
        if self.process is not None:
            group = self.process.pid
            with suppress(ProcessLookupError):
                os.killpg(group, sign)
            if sign is signal.SIGKILL:
                self.process.kill()
            until(lambda: not _runs(group), "the broker has ended")
            self.process = None

    @contextmanager
    def channel(self) -> Iterator["pika.adapters.blocking_connection.BlockingChannel"]:
        """A channel of a connection of its own."""
        with pika.BlockingConnection(pika.URLParameters(self.url)) as connection:
            yield connection.channel()

    def environment(self) -> dict[str, str]:
        """What keeps all of it in its folder and on loopback."""
        (plugins,) = self.root.glob("usr/lib/rabbitmq/lib/rabbitmq_server-*/plugins")
        settings = {
            "NODENAME": "outbox-kit@localhost",
            "NODE_IP_ADDRESS": "127.0.0.1",
            "NODE_PORT": self.port,
            "DIST_PORT": self.distribution_port,
            "MNESIA_BASE": self.folder / "data",
            "LOG_BASE": self.folder / "logs",
            "PID_FILE": self.folder / "pid",
            "CONF_ENV_FILE": os.devnull,
            "CONFIG_FILE": self.folder / "rabbitmq.conf",
            "ADVANCED_CONFIG_FILE": self.folder / "advanced.config",
            "ENABLED_PLUGINS_FILE": self.folder / "enabled_plugins",
            "PLUGINS_DIR": plugins,
            "SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        }
        return {
            **{f"RABBITMQ_{name}": str(value) for name, value in settings.items()},
            "HOME": str(self.folder),
            "PATH": f"{self.root / 'usr/lib/erlang/bin'}:{os.environ['PATH']}",
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self.epmd_port),
        }

    def _answers(self) -> bool:
        if processes.answers(self.port):  # else the client would write what failed into the log of the test
            with suppress(AMQPError, OSError), self.channel():
                return True
        return False


def _runs(group: int) -> bool:
    """Whether a process of a group runs. Its port says less: another server may have it at once."""
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


@contextmanager
def rabbitmq() -> Iterator[Broker]:
    """A running broker."""
    folder = Path(tempfile.mkdtemp(prefix="outbox-kit-"))
    port, epmd_port, distribution_port = processes.free_ports(3)
    broker = Broker(debian.unpacked("rabbitmq", PACKAGES, _moved), folder, port, epmd_port, distribution_port)
    (folder / "rabbitmq.conf").write_text(SETTINGS)
    (folder / "enabled_plugins").write_text("[].")
    (epmd,) = broker.root.glob("usr/lib/erlang/erts-*/bin/epmd")
    names = processes.start([str(epmd)], folder / "epmd.log", owned=True, environment=broker.environment())
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()
        names.terminate()
        shutil.rmtree(folder)


def _moved(staging: Path, root: Path) -> None:
    """Let Erlang look for itself where it will be: Debian's script has a fixed path."""
    script = staging / "usr/lib/erlang/bin/erl"
    script.write_text(script.read_text().replace("ROOTDIR=/usr/lib/erlang", f"ROOTDIR={root}/usr/lib/erlang"))
