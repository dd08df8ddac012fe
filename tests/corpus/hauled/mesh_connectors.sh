#!/bin/bash
# Two domains into the warehouse. Workers: cp-kafka-connect with debezium-connector-postgres 2.5.0.Final.
set -euo pipefail
CONNECT="${CONNECT:-http://localhost:8083}"

until curl -sf "$CONNECT/" > /dev/null; do sleep 2; done

register() {
    local name=$1 body=$2 code
    code=$(curl -s -o /tmp/answer -w "%{http_code}" -X POST "$CONNECT/connectors" \
        -H "Content-Type: application/json" -d "$body")
    case "$code" in
        201|409) echo "$name: $code" ;;
        *) echo "$name: $code"; cat /tmp/answer; return 1 ;;
    esac
}

docker exec kafka kafka-topics --bootstrap-server localhost:29092 --create --if-not-exists \
    --topic dlq-sales-sink --partitions 1 --replication-factor 1

register sales-source '{
  "name": "sales-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres-sales",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "sales_db",
    "topic.prefix": "sales-server",
    "table.include.list": "public.sales",
    "plugin.name": "pgoutput",
    "slot.name": "cdc_sales",
    "publication.name": "mesh_pub",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://schema-registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://schema-registry:8081",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "snapshot.mode": "initial",
    "tombstones.on.delete": "true"
  }
}'

register clients-source '{
  "name": "clients-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres-clients",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "clients_db",
    "topic.prefix": "clients-server",
    "table.include.list": "public.clients",
    "plugin.name": "pgoutput",
    "slot.name": "cdc_clients",
    "publication.name": "mesh_pub",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://schema-registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://schema-registry:8081",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "snapshot.mode": "initial",
    "tombstones.on.delete": "true"
  }
}'

register sales-sink '{
  "name": "sales-sink",
  "config": {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics": "sales-server.public.sales",
    "connection.url": "jdbc:postgresql://postgres-dwh:5432/dwh",
    "connection.user": "dwh",
    "connection.password": "dwh",
    "auto.create": "false",
    "insert.mode": "upsert",
    "pk.mode": "record_key",
    "pk.fields": "id",
    "delete.enabled": "true",
    "table.name.format": "raw.sales_cdc",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://schema-registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://schema-registry:8081"
  }
}'
