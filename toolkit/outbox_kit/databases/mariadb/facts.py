"""MariaDB: MySQL, but for its connector and its words."""

from dataclasses import replace

from outbox_kit.databases.mysql.facts import MYSQL

MARIADB = replace(
    MYSQL,
    name="mariadb",
    title="MariaDB",
    rank=2,
    ddl=replace(MYSQL.ddl, folders=("mariadb", "mysql")),
    adoption=replace(MYSQL.adoption, rewritten_types=()),
    limits=replace(MYSQL.limits, role=80),
    capture=replace(
        MYSQL.capture,
        test_container="MariaDBContainer",
        options={name: value for name, value in MYSQL.capture.options.items() if name != "database.ssl.mode"}
        | {"connector.class": "io.debezium.connector.mariadb.MariaDbConnector"},
        min_debezium="2.7",
    ),
    runbook=replace(MYSQL.runbook, client="mariadb --defaults-extra-file=outbox.cnf -e"),
)
