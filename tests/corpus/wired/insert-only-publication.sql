-- psql -v ON_ERROR_STOP=1 -f insert-only-publication.sql, as superuser in the database "theatre"

CREATE TABLE public.outbox (
    id            uuid PRIMARY KEY,
    aggregatetype text NOT NULL,
    aggregateid   text NOT NULL,
    type          text NOT NULL,
    payload       text NOT NULL,
    written_at    timestamptz NOT NULL DEFAULT now()
);

CREATE ROLE theatre_cdc LOGIN REPLICATION PASSWORD 'changeme';
GRANT CONNECT ON DATABASE theatre TO theatre_cdc;
GRANT USAGE ON SCHEMA public TO theatre_cdc;
GRANT SELECT ON public.outbox TO theatre_cdc;

-- Rows are inserted and, a week later, deleted. Only the insertions are events, so the rest needs no decoding.
CREATE PUBLICATION theatre_events FOR TABLE public.outbox WITH (publish = 'insert');

CREATE EXTENSION IF NOT EXISTS pg_cron;
SELECT cron.schedule('sweep-outbox', '15 3 * * *',
                     $$DELETE FROM public.outbox WHERE written_at < now() - interval '7 days'$$);

/* The connector that reads it; put by the release pipeline:

PUT /connectors/theatre-events/config
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "theatre-db",
  "database.port": "5432",
  "database.user": "theatre_cdc",
  "database.password": "changeme",
  "database.dbname": "theatre",
  "topic.prefix": "theatre",
  "schema.include.list": "public",
  "table.include.list": "public.outbox",
  "slot.name": "theatre_events",
  "publication.name": "theatre_events",
  "publication.autocreate.mode": "disabled",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "theatre.${routedByValue}.v1"
}
*/
