#!/usr/bin/env bash
# Creates table, role and publication in the wallet database, then the connector.
# usage: DB_PASSWORD=... ./bootstrap-wallet-cdc.sh staging
set -euo pipefail

ENVIRONMENT=${1:?environment}
: "${DB_PASSWORD:?set DB_PASSWORD}"
PGHOST=wallet-db.${ENVIRONMENT}.example.org
CONNECT_URL=http://connect.${ENVIRONMENT}.example.org:8083
export PGHOST PGUSER=postgres PGDATABASE=wallet

psql -v ON_ERROR_STOP=1 -v pw="$DB_PASSWORD" <<'SQL'
CREATE ROLE wallet_cdc WITH LOGIN REPLICATION PASSWORD :'pw';
CREATE TABLE IF NOT EXISTS public.outbox (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  aggregatetype text NOT NULL,
  aggregateid   text NOT NULL,
  type          text NOT NULL,
  payload       jsonb NOT NULL
);
GRANT USAGE ON SCHEMA public TO wallet_cdc;
GRANT SELECT ON public.outbox TO wallet_cdc;
CREATE PUBLICATION wallet_outbox FOR TABLE public.outbox;
SQL

echo "registering connector for ${ENVIRONMENT}"
curl -fsS -X PUT "${CONNECT_URL}/connectors/wallet-outbox/config" \
  -H 'Content-Type: application/json' --data-binary @- <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "${PGHOST}",
  "database.port": "5432",
  "database.user": "wallet_cdc",
  "database.password": "${DB_PASSWORD}",
  "database.dbname": "wallet",
  "topic.prefix": "wallet",
  "plugin.name": "pgoutput",
  "slot.name": "wallet_outbox",
  "publication.name": "wallet_outbox",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "public.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.route.topic.replacement": "wallet.${routedByValue}"
}
JSON
