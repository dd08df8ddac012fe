"""TLS with MySQL and MariaDB: what each ssl-mode accepts. The server's certificate is its own, for localhost."""

from collections.abc import Callable
from pathlib import Path

import pytest

from outbox_kit.databases.mysql.session import session
from outbox_kit.errors import DatabaseUnreachable, UsageProblem
from tests.support.servers import PASSWORD, Server, certificate
from tests.support.servers.mysql import MySql

CIPHER = "show status like 'Ssl_cipher'"


@pytest.fixture(params=["mariadb"])
def mariadb(request: pytest.FixtureRequest, started: Callable[[str], Server]) -> MySql:
    server = started(request.param)
    assert isinstance(server, MySql)
    return server


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)


def cipher(server: MySql, host: str, options: str) -> str:
    """The cipher of a connection; empty without TLS."""
    authority = server.socket.parent / "server-cert.pem"
    with session(f"mysql://boss@{host}:{server.port}/?{options.format(authority=authority)}") as cursor:
        cursor.execute(CIPHER)
        return str(cursor.fetchall()[0][1])


@pytest.mark.parametrize(
    ("host", "options"),
    [
        ("127.0.0.1", ""),
        ("127.0.0.1", "ssl-mode=required"),
        ("127.0.0.1", "ssl-ca={authority}"),
        ("127.0.0.1", "ssl-mode=required&ssl-ca={authority}"),
        ("localhost", "ssl-mode=verify-identity&ssl-ca={authority}"),
        ("localhost", "ssl-mode=VERIFY_IDENTITY&ssl-ca={authority}"),
    ],
)
def test_a_connection_is_encrypted(mariadb: MySql, host: str, options: str) -> None:
    assert cipher(mariadb, host, options)


def test_disabled_means_in_clear(mariadb: MySql) -> None:
    assert cipher(mariadb, "127.0.0.1", "ssl-mode=disabled") == ""


@pytest.mark.parametrize(
    ("host", "options", "why"),
    [
        ("localhost", "ssl-mode=verify-identity", "CERTIFICATE_VERIFY_FAILED"),
        ("127.0.0.1", "ssl-mode=verify-identity&ssl-ca={authority}", "IP address mismatch"),
        ("127.0.0.1", "ssl-ca={other}", "CERTIFICATE_VERIFY_FAILED"),
    ],
)
def test_a_certificate_that_does_not_hold_is_refused(
    mariadb: MySql, tmp_path: Path, host: str, options: str, why: str
) -> None:
    other, _ = certificate.write(tmp_path)
    authority = mariadb.socket.parent / "server-cert.pem"
    written = options.format(authority=authority, other=other)
    address = f"mysql://boss@{host}:{mariadb.port}/?{written}"
    with pytest.raises(DatabaseUnreachable, match="no connection to the database") as refused, session(address):
        pass
    assert why in refused.value.why


def test_a_client_certificate_is_presented(mariadb: MySql) -> None:
    """The server takes its own certificate for its authority."""
    folder = mariadb.socket.parent
    mariadb.ask(f"create user certified@'%' identified by '{PASSWORD}' require x509")
    address = f"mysql://certified@localhost:{mariadb.port}/?ssl-mode={{mode}}&ssl-ca={folder}/server-cert.pem"
    own = f"&ssl-cert={folder}/server-cert.pem&ssl-key={folder}/server-key.pem"
    with pytest.raises(DatabaseUnreachable, match="no connection"), session(address.format(mode="verify-ca")):
        pass
    for mode in ("verify-ca", "verify-identity", "required"):
        with session(address.format(mode=mode) + own) as cursor:
            cursor.execute(CIPHER)
            assert cursor.fetchall()[0][1]
    mariadb.ask("drop user certified@'%'")


def test_a_file_without_a_certificate_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text.pem"
    path.write_text("no certificate")
    with pytest.raises(UsageProblem, match="holds no certificate") as refused, session(f"mysql://h/?ssl-ca={path}"):
        pass
    assert refused.value.where == "ssl-ca"


def test_the_host_s_name_is_checked_with_the_system_s_authorities_too(
    mariadb: MySql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(mariadb.socket.parent / "server-cert.pem"))
    assert cipher(mariadb, "localhost", "ssl-mode=verify-identity")
    with pytest.raises(DatabaseUnreachable) as refused:
        cipher(mariadb, "127.0.0.1", "ssl-mode=verify-identity")
    assert "IP address mismatch" in refused.value.why
