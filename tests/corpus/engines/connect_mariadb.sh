#!/bin/bash

# Sample: the outbox of the assistant in MariaDB, read by Debezium.

URL="http://connect_host:port/connectors"
CONTENT_TYPE="application/json"

read -r -d '' PAYLOAD << EOF
{
  "name": "assistant-event-connector",
  "config": {
    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",

    "database.hostname": "mariadb",
    "database.port": "3306",
    "database.user": "DB_USER",
    "database.password": "DB_PASSWORD",
    "database.ssl.mode":"disabled",
    "database.server.id": "DB_SERVER_ID",
    "database.server.name": "mariadb",
    "database.include.list": "team_assistant",
    "table.include.list": "team_assistant.message_outbox",
    "topic.prefix": "change",
    "schema.history.internal.kafka.bootstrap.servers": "kafka_host:port",
    "schema.history.internal.kafka.topic": "history.team_assistant.message_outbox",
    "column.propagate.source.type": "true",
    "schema.history.internal.store.only.captured.tables.ddl": "true"
  }
}
EOF

curl -X POST "${URL}" \
    -H "Content-Type: ${CONTENT_TYPE}" \
    -d "${PAYLOAD}"
