"""What a database is: one value each, and no default."""

from outbox_kit.dialects.base import Dialect
from outbox_kit.dialects.mariadb import MARIADB
from outbox_kit.dialects.mongodb import MONGODB
from outbox_kit.dialects.mysql import MYSQL
from outbox_kit.dialects.oracle import ORACLE
from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.dialects.sqlserver import SQLSERVER

ALL: dict[str, Dialect] = {dialect.name: dialect for dialect in (POSTGRES, MYSQL, MARIADB, SQLSERVER, ORACLE, MONGODB)}


def named(name: str) -> Dialect:
    """The dialect of a schema file. The model has checked the name."""
    return ALL[name]
