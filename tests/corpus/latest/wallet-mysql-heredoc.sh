#!/bin/sh
# bring up the wallet relay (quay.io/debezium/connect:3.0)
CONNECT=${CONNECT:-http://localhost:8083}

cat <<EOF | curl -s -X POST -H 'Content-Type: application/json' --data @- $CONNECT/connectors
{
  "name": "wallet-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "2",
    "database.hostname": "mysql-wallet",
    "database.port": "3306",
    "database.user": "${WALLET_DB_USER}",
    "database.password": "${WALLET_DB_PASSWORD}",
    "database.server.id": "5501",
    "database.include.list": "wallet",
    "table.include.list": "wallet.outbox_events",
    "topic.prefix": "wallet",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "schema-history.wallet",
    "include.schema.changes": "false",
    "snapshot.mode": "initial",
    "heartbeat.interval.ms": "30000",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "wallet.${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:type",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}
EOF
