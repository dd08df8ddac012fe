#!/usr/bin/env bash
# Registers the capture of schema WMS (XEPDB1). Run it after the initial load; no_data streams from the current SCN.
# Topics: ora.wms.<table>, always lower case (LowerCaseTopicNamingStrategy).
# Tuning: producer linger 5 ms, batch 64 KiB, lz4, acks=1.
set -euo pipefail

CONNECT="${CONNECT:-http://10.20.0.5:30083}"
BROKERS="kafka-bootstrap.prod.svc.cluster.local:9092"
TABLES=(bins pallets moves)

read_secret() { curl -sf -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/secret/data/$1" | jq -r ".data.data.$2"; }
ORA_PASS=$(read_secret oracle cdc_password)
K_USER=$(read_secret kafka debezium_user)
K_PASS=$(read_secret kafka debezium_password)

LIST=""
for t in "${TABLES[@]}"; do LIST="${LIST}WMS.${t^^},"; done
LIST="${LIST%,}"
JAAS="org.apache.kafka.common.security.scram.ScramLoginModule required username=\\\"${K_USER}\\\" password=\\\"${K_PASS}\\\";"

curl -sf -X POST "$CONNECT/connectors" -H "Content-Type: application/json" -d "$(cat <<JSON
{
  "name": "ora-wms-cdc",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "ora-xe.prod.svc.cluster.local",
    "database.port": "1521",
    "database.user": "c##capture",
    "database.password": "${ORA_PASS}",
    "database.dbname": "XE",
    "database.pdb.name": "XEPDB1",
    "table.include.list": "${LIST}",
    "topic.prefix": "ora",
    "topic.naming.strategy": "io.debezium.connector.common.LowerCaseTopicNamingStrategy",
    "snapshot.mode": "no_data",
    "snapshot.locking.mode": "none",
    "schema.history.internal.kafka.bootstrap.servers": "${BROKERS}",
    "schema.history.internal.kafka.topic": "ddl.ora-wms",
    "schema.history.internal.consumer.security.protocol": "SASL_PLAINTEXT",
    "schema.history.internal.consumer.sasl.mechanism": "SCRAM-SHA-512",
    "schema.history.internal.consumer.sasl.jaas.config": "${JAAS}",
    "schema.history.internal.producer.security.protocol": "SASL_PLAINTEXT",
    "schema.history.internal.producer.sasl.mechanism": "SCRAM-SHA-512",
    "schema.history.internal.producer.sasl.jaas.config": "${JAAS}",
    "producer.security.protocol": "SASL_PLAINTEXT",
    "producer.sasl.mechanism": "SCRAM-SHA-512",
    "producer.sasl.jaas.config": "${JAAS}",
    "producer.acks": "1",
    "producer.linger.ms": "5",
    "producer.batch.size": "65536",
    "producer.compression.type": "lz4",
    "log.mining.strategy": "redo_log_catalog",
    "log.mining.batch.size.default": "20000",
    "log.mining.batch.size.max": "100000",
    "log.mining.session.max.ms": "1800000",
    "log.mining.buffer.type": "memory",
    "max.queue.size": "16384",
    "max.batch.size": "8192",
    "event.processing.failure.handling.mode": "warn",
    "skipped.operations": "none"
  }
}
JSON
)"
curl -sf "$CONNECT/connectors/ora-wms-cdc/status" | jq .
