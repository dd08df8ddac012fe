#!/bin/sh
# Creates or updates the two outbox connectors of the circles backend.
set -eu

CONNECT="http://cdc:8083"

DB_PASSWORD_REF='${files:/run/secrets/CDC_PROPERTIES:DB_PASSWORD}'
KEY_PASSWORD_REF='${files:/run/secrets/CDC_PROPERTIES:KEY_PASSWORD}'

apply() {
  if curl -fsS "${CONNECT}/connectors/$1" >/dev/null 2>&1; then
    curl -fsS -X PUT -H "Content-Type:application/json" "${CONNECT}/connectors/$1/config" -d "$2"
  else
    curl -fsS -X POST -H "Content-Type:application/json" "${CONNECT}/connectors" \
      -d "{ \"name\": \"$1\", \"config\": $2 }"
  fi
  printf "\n%s applied\n" "$1"
}

PEOPLE='{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "circles-db",
  "database.port": "5432",
  "database.user": "'"$DB_USER"'",
  "database.password": "'"$DB_PASSWORD_REF"'",
  "database.dbname": "'"$DB_NAME"'",
  "database.sslmode": "verify-full",
  "database.sslcert": "/tls/cdc/client.crt",
  "database.sslkey": "/tls/cdc/client.pk8",
  "database.sslrootcert": "/tls/ca/root.crt",
  "database.sslpassword": "'"$KEY_PASSWORD_REF"'",
  "skipped.operations": "u",
  "topic.prefix": "feed-people",
  "slot.name": "people_feed_slot",
  "publication.name": "people_feed_pub",
  "table.include.list": "public.people_feed",
  "publication.autocreate.mode": "disabled",
  "heartbeat.interval.ms": "4000",
  "heartbeat.action.query": "INSERT INTO public.people_feed_pulse (id, ts) VALUES(1, NOW()) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts;",
  "poll.interval.ms": "5",
  "max.batch.size": "8192",
  "max.queue.size": "65536",
  "producer.linger.ms": "0",
  "producer.acks": "all",
  "producer.compression.type": "lz4",
  "transforms": "feed",
  "transforms.feed.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.feed.route.by.field": "target",
  "transforms.feed.table.field.event.key": "event_id",
  "transforms.feed.table.field.event.payload": "content",
  "transforms.feed.route.topic.replacement": "'"$PEOPLE_TOPIC"'",
  "transforms.feed.table.field.event.id": "id",
  "transforms.feed.table.fields.additional.placement": "kind:header:kind,tracingspancontext:header:traceparent",
  "tracing.span.context.field": "tracingspancontext",
  "tracing.operation.name": "debezium-read",
  "tracing.with.context.field.only": "true"
}'

BONDS='{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "circles-db",
  "database.port": "5432",
  "database.user": "'"$DB_USER"'",
  "database.password": "'"$DB_PASSWORD_REF"'",
  "database.dbname": "'"$DB_NAME"'",
  "database.sslmode": "verify-full",
  "database.sslcert": "/tls/cdc/client.crt",
  "database.sslkey": "/tls/cdc/client.pk8",
  "database.sslrootcert": "/tls/ca/root.crt",
  "database.sslpassword": "'"$KEY_PASSWORD_REF"'",
  "skipped.operations": "u",
  "topic.prefix": "feed-bonds",
  "slot.name": "bonds_feed_slot",
  "publication.name": "bonds_feed_pub",
  "table.include.list": "public.bonds_feed",
  "publication.autocreate.mode": "disabled",
  "heartbeat.interval.ms": "4000",
  "heartbeat.action.query": "INSERT INTO public.bonds_feed_pulse (id, ts) VALUES(1, NOW()) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts;",
  "transforms": "feed",
  "transforms.feed.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.feed.route.by.field": "target",
  "transforms.feed.table.field.event.key": "event_id",
  "transforms.feed.table.field.event.payload": "content",
  "transforms.feed.route.topic.replacement": "'"$BONDS_TOPIC"'",
  "transforms.feed.table.field.event.id": "id",
  "transforms.feed.table.fields.additional.placement": "kind:header:kind,tracingspancontext:header:traceparent",
  "tracing.span.context.field": "tracingspancontext",
  "tracing.operation.name": "debezium-read",
  "tracing.with.context.field.only": "true"
}'

apply "circles-people-feed" "$PEOPLE"
apply "circles-bonds-feed" "$BONDS"
