#!/usr/bin/env bash
# Kiln monitoring: source with incremental snapshots on demand (signals through a table)
set -euo pipefail

run_sql() { docker compose exec -T kiln-db psql -U kiln -d kiln -v ON_ERROR_STOP=1 "$@"; }

run_sql <<'SQL'
CREATE TABLE IF NOT EXISTS public.firings  (id bigserial PRIMARY KEY, kiln smallint NOT NULL, started_at timestamptz, peak_c integer);
CREATE TABLE IF NOT EXISTS public.readings (id bigserial PRIMARY KEY, firing_id bigint NOT NULL, at timestamptz, celsius integer);
CREATE TABLE IF NOT EXISTS public.cdc_signal (id varchar(42) PRIMARY KEY, type varchar(32) NOT NULL, data varchar(2048));

DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = 'kiln_pub') THEN
    CREATE PUBLICATION kiln_pub FOR TABLE public.firings, public.readings;
  END IF;
END $$;
GRANT SELECT ON public.firings, public.readings TO kiln_cdc;
GRANT SELECT, INSERT, DELETE ON public.cdc_signal TO kiln_cdc;
SQL

curl -fsS -X PUT localhost:8083/connectors/kiln/config -H 'Content-Type: application/json' -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "kiln-db",
  "database.port": "5432",
  "database.user": "kiln_cdc",
  "database.password": "kiln",
  "database.dbname": "kiln",
  "topic.prefix": "kiln",
  "plugin.name": "pgoutput",
  "slot.name": "kiln",
  "publication.name": "kiln_pub",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "public.firings,public.readings",
  "snapshot.mode": "no_data",
  "signal.enabled.channels": "source",
  "signal.data.collection": "public.cdc_signal",
  "incremental.snapshot.chunk.size": "4096"
}
JSON

echo "fill the topics with what the tables hold already"
run_sql -c "INSERT INTO public.cdc_signal VALUES ('first-fill', 'execute-snapshot',
  '{\"type\": \"incremental\", \"data-collections\": [\"public.firings\", \"public.readings\"]}')"
