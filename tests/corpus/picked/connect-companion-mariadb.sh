#!/bin/bash

# Sample: MariaDB as a Debezium source. Fill in host, account and server id first.

TARGET="http://debezium_hostname:port/connectors"
MIME="application/json"

read -r -d '' BODY << EOB
{
  "name": "companion-mariadb-events",
  "config": {
    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",

    "database.hostname": "mariadb",
    "database.port": "3306",
    "database.user": "DATABASE_USER_ID",
    "database.password": "DATABASE_PASSWD",
    "database.ssl.mode":"disabled",
    "database.server.id": "DATABASE_SERVER_ID",
    "database.server.name": "mariadb",
    "database.include.list": "pair_helper",
    "table.include.list": "pair_helper.pending_message",
    "topic.prefix": "cdc",
    "schema.history.internal.kafka.bootstrap.servers": "kafka_host:port",
    "schema.history.internal.kafka.topic": "schema-history.pair_helper.pending_message",
    "column.propagate.source.type": "true",
    "schema.history.internal.store.only.captured.tables.ddl": "true"
  }
}
EOB

curl -X POST "${TARGET}" \
    -H "Content-Type: ${MIME}" \
    -d "${BODY}"
