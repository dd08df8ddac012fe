#!/usr/bin/env zsh
# Follow-up of the thread on the eaten "$1": quote the delimiter of the here document and let jq put the variable parts in.
set -eu
: ${DB_PASSWORD:?} ${DB_HOST:=optician-db} ${SERVER_ID:=20914}

base=$(cat <<'JSON'
{
  "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
  "database.port": "3306",
  "database.user": "opt_cdc",
  "topic.prefix": "optician",
  "database.include.list": "shop",
  "table.include.list": "shop.outbox,shop.lens_order",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
  "schema.history.internal.kafka.topic": "optician-schema",
  "transforms": "outbox,cut",
  "predicates": "isOutbox",
  "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
  "predicates.isOutbox.pattern": "optician\\.shop\\.outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.predicate": "isOutbox",
  "transforms.outbox.route.topic.replacement": "events-${routedByValue}",
  "transforms.cut.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.cut.regex": "optician\\.shop\\.(.+)",
  "transforms.cut.replacement": "tables-$1"
}
JSON
)

jq -n --argjson base "$base" --arg h "$DB_HOST" --arg p "$DB_PASSWORD" --arg id "$SERVER_ID" \
  '$base + {"database.hostname": $h, "database.password": $p, "database.server.id": $id}' |
  curl -fsS -X PUT -H 'Content-Type: application/json' -d @- "${CONNECT:-http://localhost:8083}/connectors/optician/config"
