#!/usr/bin/env bash
# Uploads the plugin to the managed Connect and starts one connector with it.
set -euo pipefail
: "${CC_ENV:?}" "${CC_CLUSTER:?}" "${CC_KEY:?}" "${CC_SECRET:?}"
: "${BRANCH_HOST:?}" "${BRANCH_USER:?}" "${BRANCH_PASSWORD:?}" "${BRANCH_KEYSPACE:?}"
NAME="${NAME:-orchard-source}"
PREFIX="${PREFIX:-orchard}"

PLUGIN=$(confluent connect custom-plugin create "$NAME-plugin" \
  --plugin-file build/dist/connector.zip \
  --connector-type source \
  --connector-class com.planetscale.debezium.PlanetscaleConnector \
  --sensitive-properties database.password,kafka.api.secret -o json | jq -r '.id // empty')
[ -n "$PLUGIN" ] || { echo "no plugin id"; exit 1; }

CFG=$(mktemp); trap 'rm -f "$CFG"' EXIT
cat > "$CFG" <<JSON
{
  "name": "$NAME",
  "config": {
    "connector.class": "com.planetscale.debezium.PlanetscaleConnector",
    "confluent.connector.type": "CUSTOM",
    "confluent.custom.plugin.id": "$PLUGIN",
    "kafka.auth.mode": "KAFKA_API_KEY",
    "kafka.api.key": "$CC_KEY",
    "kafka.api.secret": "$CC_SECRET",
    "tasks.max": "1",
    "topic.prefix": "$PREFIX",
    "database.hostname": "$BRANCH_HOST",
    "database.port": "443",
    "database.user": "$BRANCH_USER",
    "database.password": "$BRANCH_PASSWORD",
    "vitess.keyspace": "$BRANCH_KEYSPACE",
    "vitess.tablet.type": "REPLICA",
    "snapshot.mode": "initial"
  }
}
JSON
confluent connect cluster create --config-file "$CFG" --cluster "$CC_CLUSTER" --environment "$CC_ENV" -o json
