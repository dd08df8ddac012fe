#!/bin/bash
# copies schema mart from PostgreSQL into ClickHouse and checks inserts, updates and deletes
set -euo pipefail
DB=mart

docker compose down -v
docker compose up -d --build
until docker exec postgres pg_isready -U postgres; do sleep 2; done
docker exec -i clickhouse clickhouse-client --query "CREATE DATABASE IF NOT EXISTS $DB;"
docker exec clickhouse clickhouse-client --query "CREATE TABLE $DB.members (member_id UInt32, nick String, tier String) ENGINE = ReplacingMergeTree() ORDER BY member_id"

echo "source"
curl -X PUT http://localhost:8083/connectors/mart-source/config \
  -H "Content-Type: application/json" \
  -d '{
    "name": "mart-source",
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "mart",
    "schema.include.list": "mart",
    "database.server.name": "mart_cdc",
    "topic.prefix": "mart_cdc",
    "plugin.name": "pgoutput",
    "slot.name": "mart_slot",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "initial",
    "slot.drop.on.stop": "true",
    "tombstones.on.delete": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": true,
    "producer.override.acks": "all",
    "producer.override.retries": 10,
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "true"
  }'

echo "sink"
curl -X PUT http://localhost:8084/connectors/mart-sink/config \
  -H "Content-Type: application/json" \
  -d '{
    "name": "mart-sink",
    "connector.class": "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
    "topics": "mart_cdc.mart.members",
    "transforms": "route",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.route.regex": "^mart_cdc\\.mart\\.(.*)$",
    "transforms.route.replacement": "$1",
    "hostname": "clickhouse",
    "port": "8123",
    "database": "mart",
    "username": "default",
    "password": "password",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true",
    "consumer.override.auto.offset.reset": "earliest",
    "errors.tolerance": "all",
    "errors.log.enable": "true",
    "tasks.max": "1"
  }'

docker exec postgres psql -U postgres -d $DB -c "INSERT INTO mart.members VALUES (1,'ann','Gold'),(2,'bo','Iron')"
sleep 10
echo "delete test"
docker exec postgres psql -U postgres -d $DB -c "DELETE FROM mart.members WHERE member_id = 1"
sleep 5
docker exec clickhouse clickhouse-client --query "SELECT count() FROM $DB.members WHERE member_id = 1"
