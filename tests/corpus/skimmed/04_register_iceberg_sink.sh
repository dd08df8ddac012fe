#!/usr/bin/env bash
# Iceberg sink for the topics of the Oracle source (Avro, registry, REST catalog). Secrets come from OpenBao.
set -euo pipefail

CONNECT_URL="http://connect.platform.svc:8083"
NAME="iceberg-dims"
CATALOG="LakeCatalog"
NAMESPACE="dims"
SR_URL="http://schema-registry.platform.svc:8081"

S3=$(curl -sf -H "X-Vault-Token: $BAO_TOKEN" "$BAO_ADDR/v1/secret/platform/s3")
S3_KEY=$(echo "$S3" | jq -r '.data.access_key')
S3_SEC=$(echo "$S3" | jq -r '.data.secret_key')
CAT=$(curl -sf -H "X-Vault-Token: $BAO_TOKEN" "$BAO_ADDR/v1/secret/platform/catalog")
CAT_ID=$(echo "$CAT" | jq -r '.data.id')
CAT_SEC=$(echo "$CAT" | jq -r '.data.secret')

curl -sf -X POST "$CONNECT_URL/connectors" \
  -H "Content-Type: application/json" \
  -d "$(cat <<SINK_JSON
{
  "name": "${NAME}",
  "config": {
    "connector.class":  "org.apache.iceberg.connect.IcebergSinkConnector",
    "tasks.max":        "4",
    "topics": "ora.DIMS.CALENDAR,ora.DIMS.REGION,ora.DIMS.DEPOT",

    "key.converter":                        "io.confluent.kafka.serializers.KafkaAvroDeserializer",
    "key.converter.schema.registry.url":    "${SR_URL}",
    "value.converter":                      "io.confluent.kafka.serializers.KafkaAvroDeserializer",
    "value.converter.schema.registry.url":  "${SR_URL}",

    "iceberg.catalog":                    "${CATALOG}",
    "iceberg.catalog.type":               "rest",
    "iceberg.catalog.uri":                "http://catalog.platform.svc:8181/api/catalog",
    "iceberg.catalog.credential":         "${CAT_ID}:${CAT_SEC}",
    "iceberg.catalog.scope":              "PRINCIPAL_ROLE:ALL",
    "iceberg.catalog.warehouse":          "${CATALOG}",
    "iceberg.catalog.s3.access-key-id":   "${S3_KEY}",
    "iceberg.catalog.s3.secret-access-key": "${S3_SEC}",

    "iceberg.tables.auto-create-enabled": "true",
    "iceberg.tables.default-namespace":   "${NAMESPACE}",
    "iceberg.tables.upsert-mode-enabled": "true",
    "iceberg.tables.cdcField":            "op",
    "iceberg.tables.routeField":          "source.table",
    "iceberg.tables.routeRegex":          "([A-Z_]+)$",

    "iceberg.control.topic":  "control-dims",
    "consumer.override.auto.offset.reset": "earliest"
  }
}
SINK_JSON
)"

sleep 3
curl -sf "$CONNECT_URL/connectors/$NAME/status" | jq .
