#!/bin/sh
set -eu

CONNECT_URL="http://cdc-connect:8083"
NAME="${CDC_NAME:-cabins-postgres}"

until curl -sf "${CONNECT_URL}/" >/dev/null 2>&1; do
  sleep 3
done

payload=$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "postgres",
  "database.port": "${POSTGRES_PORT}",
  "database.user": "${CDC_USER}",
  "database.password": "${CDC_PASSWORD}",
  "database.dbname": "${POSTGRES_DB}",
  "topic.prefix": "${CDC_TOPIC_PREFIX}",
  "plugin.name": "pgoutput",
  "slot.name": "${CDC_SLOT}",
  "publication.name": "${CDC_PUBLICATION}",
  "schema.include.list": "public",
  "table.include.list": "public.cabins,public.cabin_log,public.loads",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter.schemas.enable": "false",
  "snapshot.mode": "initial",
  "tombstones.on.delete": "false",
  "producer.override.max.request.size": "16777216",
  "snapshot.fetch.size": "100",
  "max.batch.size": "100"
  "message.key.columns": "public.cabins:partner_id",
}
EOF
)

code=$(curl -s -o /tmp/answer.json -w "%{http_code}" \
  -X PUT "${CONNECT_URL}/connectors/${NAME}/config" \
  -H "Content-Type: application/json" \
  -d "${payload}")

echo "HTTP ${code}"
cat /tmp/answer.json
[ "$code" -lt 300 ]
