#!/usr/bin/env bash
# Demo: a table is read again after a message on a topic. Runs with quay.io/debezium/connect:2.4.
set -euo pipefail

docker run -d --name connect --network demo -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=kafka:9092 -e GROUP_ID=demo \
  -e CONFIG_STORAGE_TOPIC=demo_configs -e OFFSET_STORAGE_TOPIC=demo_offsets -e STATUS_STORAGE_TOPIC=demo_status \
  quay.io/debezium/connect:2.4

until curl -fs localhost:8083/connectors >/dev/null; do sleep 2; done

# public.dbz_signals(id varchar(42), type varchar(32), data varchar(2048)) is made by init.sql
curl -i -X POST localhost:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "library",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "library",
    "plugin.name": "pgoutput",
    "topic.prefix": "library",
    "table.include.list": "public.book,public.loan",
    "snapshot.mode": "NEVER",
    "signal.enabled.channels": "source,kafka",
    "signal.data.collection": "public.dbz_signals",
    "signal.kafka.topic": "library-signals",
    "signal.kafka.bootstrap.servers": "kafka:9092",
    "notification.enabled.channels": "log"
  }
}'

echo 'library:{"type":"execute-snapshot","data":{"data-collections":["public.loan"],"type":"incremental"}}' |
  docker exec -i kafka bin/kafka-console-producer.sh --bootstrap-server kafka:9092 --topic library-signals \
    --property parse.key=true --property key.separator=:
