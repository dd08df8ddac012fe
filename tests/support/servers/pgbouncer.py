"""PgBouncer from Debian's packages: a pooler that gives each transaction another connection."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outbox_kit.stack import processes
from tests.support.servers import debian
from tests.support.servers.interface import PASSWORD

PACKAGES = ("pgbouncer", "libevent-2.1-7", "libc-ares2")
SETTINGS = """
[databases]
* = host=127.0.0.1 port={server} user=postgres password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
"""


@contextmanager
def pgbouncer(server: int) -> Iterator[int]:
    """The port of a pooler in transaction mode. server: the port of PostgreSQL on loopback."""
    root, folder = debian.unpacked("pgbouncer", PACKAGES), Path(tempfile.mkdtemp(prefix="outbox-kit-"))
    (port,) = processes.free_ports(1)
    settings, log = folder / "pgbouncer.ini", folder / "log"
    settings.write_text(SETTINGS.format(server=server, password=PASSWORD, port=port))
    (libraries,) = root.glob("usr/lib/*-linux-gnu")
    user = ()
    if os.getuid() == 0:  # it refuses to run as root
        user = ("-u", "nobody")
        folder.chmod(0o755)
    command = [str(root / "usr/sbin/pgbouncer"), *user, str(settings)]
    running = processes.start(command, log, owned=True, environment={"LD_LIBRARY_PATH": str(libraries)})
    try:
        processes.wait_until(lambda: processes.answers(port), running, log, "PgBouncer")
        yield port
    finally:
        running.kill()
        shutil.rmtree(folder)
