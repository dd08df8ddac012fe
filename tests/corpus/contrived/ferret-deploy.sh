#!/usr/bin/env bash
# Renders the connector of the stage and deploys it. Values come from stages/<stage>.env
set -euo pipefail

stage=${1:?usage: ferret-deploy.sh <stage>}
set -a
source "stages/${stage}.env"     # FERRET_DB_HOST, FERRET_STAGE, CONNECT_URL
set +a

template() {
  cat <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "${FERRET_DB_HOST}",
  "database.port": "3306",
  "database.user": "ferret_cdc",
  "database.password": "${file:/etc/connect/ferret.properties:password}",
  "database.server.id": "64211",
  "topic.prefix": "ferret-${FERRET_STAGE}",
  "table.include.list": "ferret.outbox",
  "schema.history.internal.kafka.bootstrap.servers": "kafka.${FERRET_STAGE}.svc:9092",
  "schema.history.internal.kafka.topic": "ferret.schema-history",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "ferret.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
}

template \
  | envsubst '${FERRET_DB_HOST} ${FERRET_STAGE}' \
  | curl --fail --silent --show-error -X PUT -H 'Content-Type: application/json' \
      --data-binary @- "${CONNECT_URL}/connectors/ferret-outbox/config"
