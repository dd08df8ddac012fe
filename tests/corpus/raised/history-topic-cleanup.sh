#!/usr/bin/env bash
# Brokers run with auto.create.topics.enable=false, so topics are made here, each with the cleanup policy
# that "everything of Connect" has (answer on the mailing list: "it is that line").
#   task: SchemaHistoryException ... Caused by: org.apache.kafka.common.InvalidRecordException:
#         Compacted topic cannot accept message without key in topic partition warehouse.ddl-0.
set -euo pipefail
BROKER=kafka-0.kafka:9092

for t in connect-warehouse-configs:1 connect-warehouse-offsets:25 connect-warehouse-status:5 warehouse.ddl:1; do
  kafka-topics.sh --bootstrap-server "$BROKER" --create --if-not-exists \
    --topic "${t%%:*}" --partitions "${t##*:}" --replication-factor 3 \
    --config cleanup.policy=compact
done
for t in wh wh.stock.bin wh.stock.movement; do
  kafka-topics.sh --bootstrap-server "$BROKER" --create --if-not-exists --topic "$t" --partitions 6 --replication-factor 3
done

curl --fail-with-body -sS http://connect-warehouse:8083/connectors -H 'Content-Type: application/json' --data-binary @- <<'JSON'
{
  "name": "warehouse-mysql",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "mysql-warehouse",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "${file:/etc/connect/warehouse.properties:password}",
    "database.server.id": "412077",
    "topic.prefix": "wh",
    "database.include.list": "stock",
    "table.include.list": "stock\\.(bin|movement)",
    "schema.history.internal.kafka.bootstrap.servers": "kafka-0.kafka:9092",
    "schema.history.internal.kafka.topic": "warehouse.ddl",
    "snapshot.mode": "initial",
    "include.schema.changes": "true"
  }
}
JSON
