#!/bin/sh
set -eu

CONNECT="http://connect:8083"

PG_PASSWORD_REF='${fileprovider:/run/secrets/CONNECT_SECRETS:PG_PASSWORD}'
KEY_PASSWORD_REF='${fileprovider:/run/secrets/CONNECT_SECRETS:KEY_PASSWORD}'

apply() {
  NAME="$1"
  BODY="$2"
  if curl -fsS "${CONNECT}/connectors/${NAME}" >/dev/null 2>&1; then
    curl -fsS -X PUT -H "Content-Type:application/json" "${CONNECT}/connectors/${NAME}/config" -d "$BODY"
  else
    curl -fsS -X POST -H "Content-Type:application/json" "${CONNECT}/connectors" \
      -d "{ \"name\": \"${NAME}\", \"config\": ${BODY} }"
  fi
  printf "\n%s done\n" "$NAME"
}

PROFILES='{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",

  "database.hostname": "pg-main",
  "database.port": "5432",
  "database.user": "'"$PG_USER"'",
  "database.password": "'"$PG_PASSWORD_REF"'",
  "database.dbname": "'"$PG_DB"'",
  "database.sslmode": "verify-full",
  "database.sslcert": "/etc/tls/connect/connect.crt",
  "database.sslkey": "/etc/tls/connect/connect.pkcs8.key",
  "database.sslrootcert": "/etc/tls/ca/ca.crt",
  "database.sslpassword": "'"$KEY_PASSWORD_REF"'",

  "skipped.operations": "u",
  "topic.prefix": "cdc-profiles",
  "slot.name": "profiles_outbox_slot",
  "publication.name": "profiles_outbox_publication",
  "table.include.list": "public.profiles_outbox",

  "publication.autocreate.mode": "disabled",
  "heartbeat.interval.ms": "5000",
  "heartbeat.action.query": "INSERT INTO public.profiles_outbox_beat (id, ts) VALUES(1, NOW()) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts;",

  "poll.interval.ms": "5",
  "max.batch.size": "8192",
  "max.queue.size": "65536",

  "producer.batch.size": "65536",
  "producer.linger.ms": "0",
  "producer.buffer.memory": "268435456",
  "producer.max.in.flight.requests.per.connection": "5",

  "producer.acks": "all",
  "producer.enable.idempotence": "true",
  "producer.compression.type": "lz4",

  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "event_topic",
  "transforms.outbox.table.field.event.key": "event_id",
  "transforms.outbox.table.field.event.payload": "event_payload",
  "transforms.outbox.route.topic.replacement": "'"$PROFILE_TOPIC"'",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,tracingspancontext:header:traceparent",

  "tracing.span.context.field": "tracingspancontext",
  "tracing.operation.name": "debezium-read",
  "tracing.with.context.field.only": "true"
}'

FOLLOWS='{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",

  "database.hostname": "pg-main",
  "database.port": "5432",
  "database.user": "'"$PG_USER"'",
  "database.password": "'"$PG_PASSWORD_REF"'",
  "database.dbname": "'"$PG_DB"'",
  "database.sslmode": "verify-full",
  "database.sslcert": "/etc/tls/connect/connect.crt",
  "database.sslkey": "/etc/tls/connect/connect.pkcs8.key",
  "database.sslrootcert": "/etc/tls/ca/ca.crt",
  "database.sslpassword": "'"$KEY_PASSWORD_REF"'",

  "skipped.operations": "u",
  "topic.prefix": "cdc-follows",
  "slot.name": "follows_outbox_slot",
  "publication.name": "follows_outbox_publication",
  "table.include.list": "public.follows_outbox",

  "publication.autocreate.mode": "disabled",
  "heartbeat.interval.ms": "5000",
  "heartbeat.action.query": "INSERT INTO public.follows_outbox_beat (id, ts) VALUES(1, NOW()) ON CONFLICT (id) DO UPDATE SET ts = EXCLUDED.ts;",

  "poll.interval.ms": "5",
  "max.batch.size": "8192",
  "max.queue.size": "65536",

  "producer.batch.size": "65536",
  "producer.linger.ms": "0",
  "producer.buffer.memory": "268435456",
  "producer.max.in.flight.requests.per.connection": "5",

  "producer.acks": "all",
  "producer.enable.idempotence": "true",
  "producer.compression.type": "lz4",

  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "event_topic",
  "transforms.outbox.table.field.event.key": "event_id",
  "transforms.outbox.table.field.event.payload": "event_payload",
  "transforms.outbox.route.topic.replacement": "'"$FOLLOW_TOPIC"'",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,tracingspancontext:header:traceparent",

  "tracing.span.context.field": "tracingspancontext",
  "tracing.operation.name": "debezium-read",
  "tracing.with.context.field.only": "true"
}'

apply "pg-profiles-outbox" "$PROFILES"
apply "pg-follows-outbox" "$FOLLOWS"
