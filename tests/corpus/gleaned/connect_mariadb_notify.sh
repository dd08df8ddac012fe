#!/bin/bash

# Registers the MariaDB source. Replace host names and credentials.

ENDPOINT="http://connect_host:port/connectors"

read -r -d '' BODY << JSON
{
  "name": "mariadb-notify-connector",
  "config": {
    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",

    "database.hostname": "mariadb",
    "database.port": "3306",
    "database.user": "DB_USER",
    "database.password": "DB_PASSWORD",
    "database.ssl.mode": "disabled",
    "database.server.id": "SERVER_ID",
    "database.server.name": "mariadb",
    "database.include.list": "teambot",
    "table.include.list": "teambot.outgoing_message",
    "topic.prefix": "stream",
    "schema.history.internal.kafka.bootstrap.servers": "kafka_host:port",
    "schema.history.internal.kafka.topic": "schema-history.teambot.outgoing_message",
    "column.propagate.source.type": "true",
    "schema.history.internal.store.only.captured.tables.ddl": "true"
  }
}
JSON

curl -X POST "${ENDPOINT}" \
    -H "Content-Type: application/json" \
    -d "${BODY}"
