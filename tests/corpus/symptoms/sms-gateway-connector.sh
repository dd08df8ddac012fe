#!/usr/bin/env bash
# Registers the outbox relay of the texting service. Stack: debezium/connect:1.6
# Without the last three transforms lines I do get gwdb.messaging.outgoing_event, with them
# nothing reaches the topic that the consumer listens on.
CONNECT=${CONNECT:-http://localhost:8083}

curl -s -X POST -H 'Content-Type: application/json' "$CONNECT/connectors" --data-binary @- <<'EOF'
{
  "name": "gateway-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "gw-postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "gateway",
    "database.server.name": "gwdb",
    "table.whitelist": "messaging.outgoing_event",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.OutboxEventRouter.event.key": "aggregate_id",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
  }
}
EOF
