#!/bin/sh
set -eu

CONNECTOR_NAME="gathering-outbox"
CONNECT_URL="http://connect:8083/connectors"

echo "Waiting for Kafka Connect..."
until curl --fail --output /dev/null --silent "$CONNECT_URL"; do
    sleep 2
done

echo "Making sure that connector '$CONNECTOR_NAME' is up to date..."

# PUT can be repeated: it creates the connector, changes its config or leaves it alone.
# Offsets survive a change of the config.
curl --fail --output /dev/null --silent --show-error \
    -X PUT "$CONNECT_URL/$CONNECTOR_NAME/config" \
    -H "Content-Type: application/json" \
    -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.dbname": "'"$POSTGRES_DB"'",
    "database.hostname": "postgres",
    "database.password": "'"$POSTGRES_PASSWORD"'",
    "database.user": "'"$POSTGRES_USER"'",
    "plugin.name": "pgoutput",
    "table.include.list": "gathering_private.outbox",
    "topic.prefix" : "gathering",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "gathering.outbox.${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.predicate": "isOutbox",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isOutbox.pattern": "gathering\\.gathering_private\\.outbox"
}'

echo "Connector '$CONNECTOR_NAME' is up to date."
