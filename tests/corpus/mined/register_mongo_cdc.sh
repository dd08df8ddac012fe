#!/usr/bin/env bash
# Registers the MongoDB change feed of the loyalty store.
# To be run after the bulk load: the connector only has to pick up what comes later.
# Topics: mongodb.loyalty.<collection>
# Producer tuning: linger.ms=5, batch.size=65536, lz4, acks=1
set -euo pipefail

CONNECT="${CONNECT:-http://connect.data.svc.cluster.local:8083}"
NAME="mongodb-loyalty-cdc"
SR_URL="http://schema-registry.data.svc.cluster.local:8081"
KAFKA="kafka-bootstrap.data.svc.cluster.local:9092"

MONGO_PASS=$(vault kv get -field=password secret/platform/mongodb)
KAFKA_PASS=$(vault kv get -field=password secret/platform/kafka)
MONGO_URL="mongodb://cdc:${MONGO_PASS}@mongodb.data.svc.cluster.local:27017/?authSource=admin"
JAAS="org.apache.kafka.common.security.scram.ScramLoginModule required username=\\\"cdc\\\" password=\\\"${KAFKA_PASS}\\\";"

COLLECTIONS=""
for c in members rewards; do COLLECTIONS="${COLLECTIONS}loyalty.${c},"; done
COLLECTIONS="${COLLECTIONS%,}"

curl -sf -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d "$(cat <<BODY
{
  "name": "${NAME}",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": "${MONGO_URL}",
    "mongodb.name": "mongodb",
    "collection.include.list": "${COLLECTIONS}",
    "topic.prefix": "mongodb",
    "topic.naming.strategy": "io.debezium.schema.SchemaTopicNamingStrategy",
    "snapshot.mode": "never",
    "schema.history.internal.kafka.bootstrap.servers": "${KAFKA}",
    "schema.history.internal.kafka.topic": "ddl.mongodb",
    "key.converter": "io.confluent.kafka.serializers.KafkaAvroSerializer",
    "key.converter.schema.registry.url": "${SR_URL}",
    "value.converter": "io.confluent.kafka.serializers.KafkaAvroSerializer",
    "value.converter.schema.registry.url": "${SR_URL}",
    "tombstones.on.delete": "false",
    "heartbeat.interval.ms": "10000",
    "producer.security.protocol": "SASL_PLAINTEXT",
    "producer.sasl.mechanism": "SCRAM-SHA-512",
    "producer.sasl.jaas.config": "${JAAS}",
    "producer.acks": "1",
    "producer.linger.ms": "5",
    "producer.batch.size": "65536",
    "producer.compression.type": "lz4",
    "max.queue.size": "16384",
    "max.batch.size": "8192",
    "event.processing.failure.handling.mode": "warn",
    "skipped.operations": "none",
    "capture.mode": "change_streams_update_full"
  }
}
BODY
)"
sleep 5
curl -sf "$CONNECT/connectors/$NAME/status" | python3 -m json.tool
