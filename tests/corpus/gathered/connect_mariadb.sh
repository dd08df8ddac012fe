#!/bin/bash

# MariaDB source for the bot's outbox; fill in host, login and server id.

URL="http://connect_host:port/connectors"

read -r -d '' BODY << EOF
{
  "name": "mariadb-bot-events",
  "config": {
    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",

    "topic.prefix": "cdc",
    "database.hostname": "mariadb",
    "database.port": "3306",
    "database.server.id": "SERVER_ID_HERE",
    "database.server.name": "mariadb",
    "database.user": "DB_USER_HERE",
    "database.password": "DB_PASSWORD_HERE",
    "database.ssl.mode":"disabled",
    "database.include.list": "helper_bot",
    "table.include.list": "helper_bot.outbox_message",
    "column.propagate.source.type": "true",
    "schema.history.internal.kafka.topic": "schema-history.helper_bot.outbox_message",
    "schema.history.internal.kafka.bootstrap.servers": "kafka_host:port",
    "schema.history.internal.store.only.captured.tables.ddl": "true"
  }
}
EOF

curl -X POST "${URL}" \
    -H "Content-Type: application/json" \
    -d "${BODY}"
