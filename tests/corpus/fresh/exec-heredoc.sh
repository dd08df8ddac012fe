#!/usr/bin/env bash
set -euo pipefail

connector_name=booth-outbox

for command_name in curl docker jq; do
  command -v "$command_name" >/dev/null
done

booth_password=$(docker compose config --format json | jq --raw-output '.services.booth.environment.PASSWORD')

# from inside the container: its port is not published
docker compose exec -T debezium curl \
  --fail --silent --show-error \
  --request PUT "http://localhost:8083/connectors/$connector_name/config" \
  --header 'Content-Type: application/json' \
  --data @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "booth",
  "database.password": "$booth_password",
  "database.dbname": "booth",
  "topic.prefix": "booth-cdc",
  "table.include.list": "public.outbox_messages",
  "plugin.name": "pgoutput",
  "slot.name": "debezium_booth_outbox",
  "publication.autocreate.mode": "filtered",
  "snapshot.mode": "no_data",
  "tombstones.on.delete": "false"
}
EOF

echo
printf 'Registered connector %s\n' "$connector_name"
