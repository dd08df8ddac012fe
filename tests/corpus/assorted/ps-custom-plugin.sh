#!/usr/bin/env bash
# Uploads the connector as a custom plugin and runs it against a test branch.
set -euo pipefail
: "${CLUSTER:?}" "${ENVIRONMENT:?}" "${KAFKA_KEY:?}" "${KAFKA_SECRET:?}" "${DB_HOST:?}" "${DB_USER:?}" "${DB_PASSWORD:?}"

NAME=${NAME:-branch-$RANDOM}
CLOUD=${CLOUD:-aws}

PLUGIN=$(confluent connect custom-plugin create "$NAME" \
  --plugin-file target/connector.zip \
  --connector-class com.planetscale.debezium.PlanetscaleConnector \
  --connector-type SOURCE \
  --sensitive-properties database.password,kafka.api.secret \
  --cloud "$CLOUD" -o json | jq -r '.id // empty')
[ -n "$PLUGIN" ] || { echo "no plugin id"; exit 1; }

CFG=$(mktemp)
cat > "$CFG" <<JSON
{
  "name": "$NAME",
  "config": {
    "connector.class": "com.planetscale.debezium.PlanetscaleConnector",
    "confluent.connector.type": "CUSTOM",
    "confluent.custom.plugin.id": "$PLUGIN",
    "kafka.auth.mode": "KAFKA_API_KEY",
    "kafka.api.key": "$KAFKA_KEY",
    "kafka.api.secret": "$KAFKA_SECRET",
    "tasks.max": "1",
    "topic.prefix": "${PREFIX:-branch}",
    "database.hostname": "$DB_HOST",
    "database.port": "443",
    "database.user": "$DB_USER",
    "database.password": "$DB_PASSWORD",
    "snapshot.mode": "initial",
    "vitess.tablet.type": "REPLICA",
    "vitess.keyspace": "$KEYSPACE"
  }
}
JSON
trap 'rm -f "$CFG"' EXIT

confluent connect cluster create --config-file "$CFG" --cluster "$CLUSTER" --environment "$ENVIRONMENT" -o json

for _ in $(seq 1 20); do
  STATE=$(confluent connect cluster list --cluster "$CLUSTER" --environment "$ENVIRONMENT" -o json \
    | jq -r --arg n "$NAME" '.[] | select(.name == $n) | .status')
  [ "$STATE" = RUNNING ] && break
  sleep 10
done
echo "state: $STATE"
