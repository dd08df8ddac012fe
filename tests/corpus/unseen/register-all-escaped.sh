#!/bin/bash

CONNECT=http://connect:8083/connectors

register() {
  local name="$1"
  local host="$2"
  local db="$3"
  local user="$4"
  local pass="$5"

  curl -s -X POST "$CONNECT" \
    -H "Content-Type: application/json" \
    -d "{
      \"name\": \"${name}-outbox\",
      \"config\": {
        \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
        \"tasks.max\": \"1\",
        \"plugin.name\": \"pgoutput\",
        \"database.hostname\": \"${host}\",
        \"database.port\": \"5432\",
        \"database.user\": \"${user}\",
        \"database.password\": \"${pass}\",
        \"database.dbname\": \"${db}\",
        \"topic.prefix\": \"${name}\",
        \"slot.name\": \"${name}_outbox_slot\",
        \"publication.name\": \"${name}_outbox_pub\",
        \"table.include.list\": \"public.outbox\",
        \"tombstones.on.delete\": \"false\",
        \"transforms\": \"outbox\",
        \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
        \"transforms.outbox.table.field.event.id\": \"id\",
        \"transforms.outbox.table.field.event.key\": \"aggregateid\",
        \"transforms.outbox.table.field.event.payload\": \"payload\",
        \"transforms.outbox.route.by.field\": \"topic\",
        \"transforms.outbox.route.topic.replacement\": \"\\\${routedByValue}\",
        \"transforms.outbox.table.fields.additional.placement\": \"type:header:eventType\",
        \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
        \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\"
      }
    }"
}

register seats seats-db seats "$SEATS_DB_USER" "$SEATS_DB_PASSWORD"
register fares fares-db fares "$FARES_DB_USER" "$FARES_DB_PASSWORD"
register crews crews-db crews "$CREWS_DB_USER" "$CREWS_DB_PASSWORD"
register gates gates-db gates "$GATES_DB_USER" "$GATES_DB_PASSWORD"
