"""MariaDB: MySQL, but for its connector and its words."""

from dataclasses import replace

from outbox_kit.dialects.mysql import MYSQL

MARIADB = replace(
    MYSQL,
    name="mariadb",
    title="MariaDB",
    connector={name: value for name, value in MYSQL.connector.items() if name != "database.ssl.mode"}
    | {"connector.class": "io.debezium.connector.mariadb.MariaDbConnector"},
    folders=("mariadb", "mysql"),
    since="2.7",
    longest_role=80,
    client="mariadb --defaults-extra-file=outbox.cnf -e",
)
