"""Why the certificate of a server of PostgreSQL is not accepted: libpq says only that it is not."""

import os
import struct
from pathlib import Path

import psycopg
from psycopg import conninfo

from outbox_kit import handshake
from outbox_kit.databases.postgres.facts import POSTGRES

SSL_REQUEST = struct.pack("!ii", 8, 80877103)
"""What asks a server for TLS, which it grants with an S."""
OWN_AUTHORITY = Path("~/.postgresql/root.crt")
"""What libpq reads if no file is named."""


def certificate_refusal(dsn: str) -> str:
    """The reason, in the words of OpenSSL; empty if there is none, or several hosts are named. dsn: as for libpq."""
    try:
        parts = conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        return ""

    def value(option: str, variable: str, default: str) -> str:
        return str(parts.get(option) or os.environ.get(variable) or default)

    host = value("hostaddr", "PGHOSTADDR", value("host", "PGHOST", "localhost"))
    port, authority = value("port", "PGPORT", str(POSTGRES.access.port)), value("sslrootcert", "PGSSLROOTCERT", "")
    if "/" in host or not port.isdecimal():  # a socket's folder, or several hosts
        return ""
    file = None if authority == "system" else authority or str(OWN_AUTHORITY.expanduser())
    return handshake.refusal(host, int(port), file, greeting=(SSL_REQUEST, b"S"), check_host=False)
