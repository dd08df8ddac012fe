#!/bin/sh
set -eu

NAME="meetup-connector"
URL="http://connect:8083/connectors"
DB=$(cat /run/secrets/pg-db)
DB_PASSWORD=$(cat /run/secrets/pg-password)
DB_USER=$(cat /run/secrets/pg-user)

echo "Waiting for Connect..."
while ! curl --output /dev/null --silent --show-error "$URL"; do
    sleep 5
done

# PUT creates or updates; the offsets stay.
curl --fail --output /dev/null --silent --show-error \
    -X PUT "$URL/$NAME/config" \
    -H "Content-Type: application/json" \
    -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.dbname": "'"$DB"'",
    "database.hostname": "postgres",
    "database.password": "'"$DB_PASSWORD"'",
    "database.user": "'"$DB_USER"'",
    "plugin.name": "pgoutput",
    "table.include.list": "meetup_private.outbox",
    "topic.prefix" : "meetup",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "meetup.outbox.${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.predicate": "isOutbox",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isOutbox.pattern": "meetup\\.meetup_private\\.outbox"
}'

echo "'$NAME' is up to date."
