#!/bin/sh
# Puts the connector of the live database onto the cluster. Run it from the bastion.
#   ./create_live_connector.sh http://connect.internal.example.org:8083
URL="${1:?address of kafka connect}"

curl -i -X POST "$URL/connectors" \
  -H "Accept: application/json" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "membership-outbox-live",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "plugin.name": "pgoutput",
      "database.hostname": "membership-live.c4zq.db.example.org",
      "database.port": "5432",
      "database.user": "membership_owner",
      "database.password": "vT7#mq2Lw9xRz4",
      "database.dbname": "membership",
      "database.sslmode": "require",
      "topic.prefix": "membership",
      "slot.name": "membership_outbox",
      "publication.name": "membership_outbox",
      "publication.autocreate.mode": "filtered",
      "table.include.list": "core.outbox_event",
      "tombstones.on.delete": "false",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.key": "member_id",
      "transforms.outbox.table.field.event.payload": "avro_body",
      "transforms.outbox.route.topic.replacement": "membership.member.v1",
      "transforms.outbox.table.fields.additional.placement": "schema_id:header",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter"
    }
  }'
echo
curl -s "$URL/connectors/membership-outbox-live/status"
