#!/bin/bash

if [ -f ../../.env ]; then
  source ../../.env
else
  echo "UYARI: .env bulunamadı, değişkenler boş kalabilir."
fi

echo "Debezium Connect bekleniyor..."

until curl -s -f -o /dev/null "http://localhost:8083/"; do
  echo "Bekleniyor..."
  sleep 5
done

echo "Hazır. Member connector yükleniyor..."

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors/ -d @- <<EOF
{
  "name": "member-service-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "${POSTGRES_USER}",
    "database.password": "${POSTGRES_PASSWORD}",
    "database.dbname": "member_db",
    "topic.prefix": "member-service",
    "plugin.name": "pgoutput",
    "table.include.list": "public.outbox",
    "publication.autocreate.mode": "filtered",
    "slot.name": "member_service_debezium_slot",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "\${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "message_payload",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.route.by.field": "aggregate_type"
  }
}
EOF

echo "Catalog connector yükleniyor..."
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors/ -d @- <<EOF
{
  "name": "catalog-service-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "${POSTGRES_USER}",
    "database.password": "${POSTGRES_PASSWORD}",
    "database.dbname": "catalog_db",
    "topic.prefix": "catalog-service",
    "plugin.name": "pgoutput",
    "table.include.list": "public.outbox",
    "publication.autocreate.mode": "filtered",
    "slot.name": "catalog_service_debezium_slot",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "\${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "message_payload",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.route.by.field": "aggregate_type"
  }
}
EOF

echo ""
echo "Tüm connector'lar yüklendi."
