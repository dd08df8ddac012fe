#!/usr/bin/env bash
# One sink for each table of the benchmark; the tasks follow the partitions of its topic.
set -euo pipefail
: "${SINK_DB_URL:?}" "${SINK_USER:?}" "${SINK_PASSWORD:?}"
CONNECT_URL=${CONNECT_URL:-http://localhost:8083/connectors/}
mkdir -p ./generated

declare -A parts=([warehouse]=4 [district]=4 [customer]=24 [stock]=24 [order_line]=48)

for table in "${!parts[@]}"; do
  partitions=${parts[$table]}
  if [ "$partitions" -gt 12 ]; then
    tasks=$(( partitions / 2 ))
    batch=400000
  else
    tasks=$(( partitions / 4 ))
    batch=100000
  fi
  out="./generated/sink-${table}.json"
  cat > "$out" <<EOF
{
  "name": "bench_${table}",
  "config": {
    "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "tasks.max": "${tasks}",
    "batch.size": "${batch}",
    "topics": "bench.tpcc.${table}",
    "connection.url": "${SINK_DB_URL}",
    "connection.username": "${SINK_USER}",
    "connection.password": "${SINK_PASSWORD}",
    "insert.mode": "upsert",
    "delete.enabled": "true",
    "primary.key.mode": "record_key",
    "pk.mode": "kafka",
    "schema.evolution": "basic",
    "auto.create": "true",
    "auto.evolve": "true",
    "quote.identifiers": "true",
    "database.time_zone": "UTC",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "true",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true"
  }
}
EOF
  echo "${table}: ${tasks} tasks"
  curl -i -X POST -H "Content-Type:application/json" "${CONNECT_URL}" -d @"${out}"
done
