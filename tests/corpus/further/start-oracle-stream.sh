#!/usr/bin/env bash
# Goes over from the bulk copy to streaming: looks up the SCN of each copied table,
# takes the smallest one, and registers the Debezium connector from there.
set -euo pipefail

CONNECT_NAME="oracle-wagons"
DEBEZIUM_URL="${DEBEZIUM_URL:-http://debezium-connect:8083}"
SR_URL="http://schema-registry:8081"

MIN_SCN=0
for tbl in YARD WAGON TRACK; do
  SCN=$(scn_of_copy "$tbl")
  echo "  [SCN]  $tbl -> $SCN"
  if [ "$MIN_SCN" -eq 0 ] || [ "$SCN" -lt "$MIN_SCN" ]; then MIN_SCN="$SCN"; fi
done
echo "[INFO] Debezium begins at SCN $MIN_SCN"

# ── register ─────────────────────────────────────────────────────────────────
curl -sf -X POST "$DEBEZIUM_URL/connectors" \
  -H "Content-Type: application/json" \
  -d "$(cat <<CONNECTOR_JSON
{
  "name": "${CONNECT_NAME}",
  "config": {

    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",

    "database.hostname":    "${ORACLE_HOST}",
    "database.port":        "${ORACLE_PORT}",
    "database.user":        "${ORACLE_USER}",
    "database.password":    "${ORACLE_PASS}",
    "database.dbname":      "${ORACLE_CDB}",
    "database.pdb.name":    "${ORACLE_PDB}",
    "database.server.name": "oracle-wagons",

    "table.include.list": "RAIL.YARD,RAIL.WAGON,RAIL.TRACK",

    "topic.prefix": "oracle-wagons",

    "snapshot.mode":         "schema_only",
    "snapshot.offset.scn":   "${MIN_SCN}",
    "snapshot.locking.mode": "none",

    "database.history.kafka.bootstrap.servers":     "${KAFKA_BOOTSTRAP}",
    "database.history.kafka.topic":                 "ddl.oracle-wagons",
    "database.history.consumer.security.protocol":  "SASL_PLAINTEXT",
    "database.history.consumer.sasl.jaas.config":   "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASS}\";",
    "database.history.producer.security.protocol":  "SASL_PLAINTEXT",
    "database.history.producer.sasl.jaas.config":   "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASS}\";",

    "key.converter":                       "io.confluent.kafka.serializers.KafkaAvroSerializer",
    "key.converter.schema.registry.url":   "${SR_URL}",
    "value.converter":                     "io.confluent.kafka.serializers.KafkaAvroSerializer",
    "value.converter.schema.registry.url": "${SR_URL}",

    "time.precision.mode":    "connect",
    "tombstones.on.delete":   "false",

    "heartbeat.interval.ms":       "10000",
    "heartbeat.action.query":      "SELECT 1 FROM DUAL",

    "producer.security.protocol": "SASL_PLAINTEXT",
    "producer.sasl.jaas.config":  "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASS}\";",
    "producer.acks":              "1",
    "producer.linger.ms":         "50",
    "producer.compression.type":  "lz4",

    "log.mining.strategy":                 "online_catalog",
    "log.mining.query.filter.mode":        "in",
    "log.mining.transaction.retention.ms": "3600000",

    "max.queue.size":  "81920",
    "max.batch.size":  "8192",
    "poll.interval.ms": "500",

    "event.processing.failure.handling.mode": "warn",

    "skipped.operations": "none"
  }
}
CONNECTOR_JSON
)"

sleep 5
curl -sf "$DEBEZIUM_URL/connectors/$CONNECT_NAME/status" | jq .
