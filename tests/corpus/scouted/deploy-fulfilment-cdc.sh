#!/bin/bash

set -e

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "${HERE}/lib.sh"

ENV_FILE=""
DRY_RUN=false

while [[ $# -gt 0 ]]; do
    case $1 in
        --env) ENV_FILE="$2"; shift 2 ;;
        --dry-run) DRY_RUN=true; shift ;;
        *) echo "usage: $0 --env <file> [--dry-run]"; exit 1 ;;
    esac
done

load_env "$ENV_FILE" || exit 1
FUL_DB_PASSWORD=$(read_db_password "$FUL_DB_SECRET")
POD=$(connect_pod)
FORWARD=$(forward "$POD" "$LOCAL_PORT" 8083)
trap 'kill "$FORWARD"' EXIT

TABLES=$(cat <<EOF
public.purchase,
public.purchase_line,
public.purchase_state,
public.stock,
public.parcel_in,
public.parcel_out
EOF
)
TABLES_ONE_LINE=$(echo "$TABLES" | tr -d '\n')

CONFIG=$(cat <<EOF
{
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "${FUL_DB_HOST}",
      "database.port": "${FUL_DB_PORT}",
      "database.user": "${FUL_DB_USER}",
      "database.password": "${FUL_DB_PASSWORD}",
      "database.dbname": "${FUL_DB_NAME}",
      "database.server.name": "${FUL_DB_NAME}",
      "plugin.name": "pgoutput",
      "table.include.list": "${TABLES_ONE_LINE}",
      "publication.name": "${FUL_PUBLICATION}",
      "slot.name": "${FUL_SLOT}",

      "topic.prefix": "${FUL_PREFIX}",
      "slot.drop.on.stop": false,
      "schema.include.list": "public",
      "publication.autocreate.mode": "disabled",
      "tombstones.on.delete": false,
      "binary.handling.mode": "base64",
      "snapshot.mode": "when_needed",
      "incremental.snapshot.chunk.size": "8192",
      "snapshot.locking.mode": "shared",
      "decimal.handling.mode": "precise",
      "time.precision.mode": "adaptive_time_microseconds",
      "errors.max.retries": "3",

      "transforms": "filter,unwrap,epoch",
      "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
      "transforms.unwrap.drop.tombstones": "true",
      "transforms.unwrap.delete.handling.mode": "drop",
      "transforms.unwrap.add.fields": "op,source.ts_ms,source.snapshot",
      "transforms.unwrap.add.fields.prefix": "__",
      "transforms.filter.type": "io.debezium.transforms.Filter",
      "transforms.filter.language": "jsr223.groovy",
      "transforms.filter.condition": "value.op != 'd'",
      "transforms.epoch.type": "org.example.fulfilment.connect.TimestamptzToEpoch",

      "key.converter": "io.confluent.connect.avro.AvroConverter",
      "value.converter": "io.confluent.connect.avro.AvroConverter",
      "key.converter.schema.registry.url": "${REGISTRY_URL}",
      "value.converter.schema.registry.url": "${REGISTRY_URL}",
      "key.converter.basic.auth.credentials.source": "USER_INFO",
      "value.converter.basic.auth.credentials.source": "USER_INFO",
      "key.converter.basic.auth.user.info": "${REGISTRY_LOGIN}",
      "value.converter.basic.auth.user.info": "${REGISTRY_LOGIN}",

      "topic.creation.default.replication.factor": 3,
      "topic.creation.default.partitions": 1,
      "topic.creation.default.cleanup.policy": "compact",
      "topic.creation.default.compression.type": "lz4",
      "skipped.operations": "t",

      "producer.security.protocol": "SASL_SSL",
      "producer.sasl.mechanism": "SCRAM-SHA-512",
      "producer.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASSWORD}\";",
      "producer.ssl.truststore.location": "/etc/kafka/secrets/truststore.jks",
      "producer.ssl.truststore.password": "secret",
      "producer.max.request.size": "1048576",

      "read.only": true,
      "signal.enabled.channels": "kafka",
      "signal.kafka.bootstrap.servers": "${BROKERS}",
      "signal.kafka.groupId": "${FUL_SIGNAL_GROUP}",
      "signal.kafka.topic": "${FUL_SIGNAL_TOPIC}",
      "signal.consumer.security.protocol": "SASL_SSL",
      "signal.consumer.sasl.mechanism": "SCRAM-SHA-512",
      "signal.consumer.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASSWORD}\";",
      "signal.consumer.ssl.truststore.location": "/etc/kafka/secrets/truststore.jks",
      "signal.consumer.ssl.truststore.password": "secret"
}
EOF
)

if [ "$DRY_RUN" = true ]; then echo "$CONFIG" | jq .; exit 0; fi

curl -s -X PUT "http://localhost:${LOCAL_PORT}/connectors/${FUL_CONNECTOR}/config" \
    -H "Content-Type: application/json" -d "$CONFIG" | jq .
