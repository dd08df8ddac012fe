#!/usr/bin/env bash
set -euo pipefail

CONNECT="${CONNECT:-http://localhost:8083}"
NAME="${NAME:-baskets-connector}"
TRIES="${TRIES:-30}"

PG_HOST="${PG_HOST:-postgres}"
PG_PORT="${PG_PORT:-5432}"
PG_USER="${PG_USER:-postgres}"
PG_PASSWORD="${PG_PASSWORD:-postgres}"
PG_DB="${PG_DB:-shopdb}"
PG_SSLMODE="${PG_SSLMODE:-disable}"

n=0
until curl -sf "${CONNECT}/connectors" &>/dev/null; do
  n=$((n + 1))
  [[ $n -ge $TRIES ]] && { echo "Connect is down"; exit 1; }
  sleep 5
done

SSL=""
if [[ "${PG_SSLMODE}" != "disable" ]]; then
  SSL=",\"database.sslmode\": \"${PG_SSLMODE}\""
fi

cat <<JSON >/tmp/${NAME}.json
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${PG_HOST}",
  "database.port": "${PG_PORT}",
  "database.user": "${PG_USER}",
  "database.password": "${PG_PASSWORD}",
  "database.dbname": "${PG_DB}",
  "database.server.name": "shopserver",
  "plugin.name": "pgoutput",
  "slot.name": "baskets_slot",
  "publication.name": "shop_cdc_pub",
  "table.include.list": "public.baskets",
  "tombstones.on.delete": "false",
  "snapshot.mode": "never",
  "topic.prefix": "shopserver"${SSL}
}
JSON

curl -sS -X PUT \
  -H "Content-Type: application/json" \
  --data @/tmp/${NAME}.json \
  "${CONNECT}/connectors/${NAME}/config" >/dev/null
