#!/usr/bin/env bash
# Runs the Spanner source against a real instance and drives a workload through it.
set -euo pipefail

CONNECT_URL=${CONNECT_URL:-http://localhost:8083}
NAME=${NAME:-seats-stream}
CONFIG_FILE=$(mktemp)

log() { printf '%s %s\n' "$(date +%T)" "$*"; }

start_worker() {
  docker run -d --name "$WORKER" --network seats \
    -v "$HOME/.config/gcloud/application_default_credentials.json:/adc.json:ro" \
    -e GOOGLE_APPLICATION_CREDENTIALS=/adc.json \
    -e CONNECT_BOOTSTRAP_SERVERS=broker:29092 \
    -e CONNECT_GROUP_ID=seats-connect \
    -e CONNECT_KEY_CONVERTER=org.apache.kafka.connect.json.JsonConverter \
    -e CONNECT_VALUE_CONVERTER=org.apache.kafka.connect.json.JsonConverter \
    -e CONNECT_PLUGIN_PATH=/usr/share/java \
    "$WORKER_IMAGE"
}

register() {
  log "writing $CONFIG_FILE"
  cat >"$CONFIG_FILE" <<EOF
{
  "connector.class": "io.debezium.connector.spanner.SpannerConnector",
  "tasks.max": "$TASKS",
  "gcp.spanner.project.id": "$PROJECT",
  "gcp.spanner.instance.id": "$INSTANCE",
  "gcp.spanner.database.id": "$DATABASE",
  "gcp.spanner.change.stream": "$STREAM",
  "connector.spanner.sync.kafka.bootstrap.servers": "broker:29092",
  "connector.spanner.sync.publisher.wait.timeout": "4000",
  "topic.creation.default.partitions": "6",
  "topic.creation.default.replication.factor": "1",
  "heartbeat.interval.ms": "2000",
  "connector.spanner.max.missed.heartbeats": "500"
}
EOF
  curl -s -X PUT -H "Content-Type: application/json" \
    "$CONNECT_URL/connectors/$NAME/config" -d @"$CONFIG_FILE"
  sleep 4
  curl -s "$CONNECT_URL/connectors/$NAME/status"
}

start_worker
register
python3 workload.py --table Seats "$@"
