#!/bin/sh
set -eu

CONNECTOR_NAME="database-connector"
CONNECT_URL="http://cdc:8083/connectors"
POSTGRES_DB=$(cat /run/secrets/pg-db)
POSTGRES_PASSWORD=$(cat /run/secrets/pg-password)
POSTGRES_USER=$(cat /run/secrets/pg-user)

# The REST API has to answer first
echo "Waiting until the CDC worker answers..."
while ! curl --output /dev/null --silent --show-error "$CONNECT_URL"; do
    sleep 5
done

echo "Worker is up. Applying the connector..."

# With PUT the call can be repeated: it creates the connector, or changes it,
# or does nothing. The offsets stay as they are.
curl --fail --output /dev/null --silent --show-error \
    -X PUT "$CONNECT_URL/$CONNECTOR_NAME/config" \
    -H "Content-Type: application/json" \
    -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.dbname": "'"$POSTGRES_DB"'",
    "database.hostname": "database",
    "database.password": "'"$POSTGRES_PASSWORD"'",
    "database.user": "'"$POSTGRES_USER"'",
    "plugin.name": "pgoutput",
    "table.include.list": "gatherly_internal.outbox",
    "topic.prefix" : "gatherly",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "gatherly.outbox.${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.predicate": "onlyOutbox",
    "predicates": "onlyOutbox",
    "predicates.onlyOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.onlyOutbox.pattern": "gatherly\\.gatherly_internal\\.outbox"
}'

echo "Connector '$CONNECTOR_NAME' applied."
