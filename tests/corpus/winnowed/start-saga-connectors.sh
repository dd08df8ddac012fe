#!/bin/sh
# Orchestration: the caterer asks, the two partners answer. Tables are called outboxevent and have the default columns.
CONNECT_URL=${CONNECT_URL:-http://localhost:8083}

until curl -sf "${CONNECT_URL}/connectors" > /dev/null; do
  sleep 3
done

echo "connectors at ${CONNECT_URL}"

# requests of the caterer
curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "caterer-requests",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "caterer-db",
        "database.port": "5432",
        "database.user": "debezium",
        "database.password": "debezium",
        "database.dbname": "caterer",
        "topic.prefix": "caterer",
        "schema.include.list": "banquet",
        "table.include.list": "banquet.outboxevent",
        "tombstones.on.delete": "false",
        "slot.name": "caterer_requests",
        "plugin.name": "pgoutput",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
        "transforms": "saga",
        "transforms.saga.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.saga.route.topic.replacement": "${routedByValue}.request",
        "poll.interval.ms": "90"
    }
}'

# answers of the venue
curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "venue-answers",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "venue-db",
        "database.port": "5432",
        "database.user": "debezium",
        "database.password": "debezium",
        "database.dbname": "venue",
        "topic.prefix": "venue",
        "schema.include.list": "venue",
        "table.include.list": "venue.outboxevent",
        "tombstones.on.delete": "false",
        "slot.name": "venue_answers",
        "plugin.name": "pgoutput",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
        "transforms": "saga",
        "transforms.saga.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.saga.route.topic.replacement": "${routedByValue}.response",
        "poll.interval.ms": "90"
    }
}'

curl -s "${CONNECT_URL}/connectors?expand=status" | jq 'map_values(.status.connector.state)'
