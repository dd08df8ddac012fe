-- Orbit: database side of the outbox, run once as superuser (PostgreSQL 15)

CREATE TABLE orbit.outbox (
    event_id   uuid        PRIMARY KEY,
    entity     text        NOT NULL,
    entity_id  text        NOT NULL,
    event_name text        NOT NULL,
    body       jsonb       NOT NULL,
    written_at timestamp   NOT NULL DEFAULT (now() AT TIME ZONE 'utc')
);

CREATE ROLE orbit_cdc LOGIN REPLICATION;
GRANT CONNECT ON DATABASE orbit TO orbit_cdc;
GRANT USAGE ON SCHEMA orbit TO orbit_cdc;
GRANT SELECT ON orbit.outbox TO orbit_cdc;

-- deletes of the cleanup are of no interest to anybody
CREATE PUBLICATION orbit_outbox FOR TABLE orbit.outbox WITH (publish = 'insert');

SELECT pg_create_logical_replication_slot('orbit_outbox', 'pgoutput');

SELECT cron.schedule('orbit-outbox-cleanup', '*/10 * * * *',
    $$DELETE FROM orbit.outbox WHERE written_at < (now() AT TIME ZONE 'utc') - interval '1 hour'$$);

/*
Connector (kafka-connect, PUT /connectors/orbit-outbox/config):

{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "orbit-pg",
  "database.port": "5432",
  "database.dbname": "orbit",
  "database.user": "orbit_cdc",
  "database.password": "${file:/etc/kafka/secrets/orbit.properties:password}",
  "topic.prefix": "orbit",
  "plugin.name": "pgoutput",
  "slot.name": "orbit_outbox",
  "publication.name": "orbit_outbox",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "orbit.outbox",
  "snapshot.mode": "no_data",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "entity_id",
  "transforms.outbox.table.field.event.payload": "body",
  "transforms.outbox.table.field.event.timestamp": "written_at",
  "transforms.outbox.route.by.field": "entity",
  "transforms.outbox.route.topic.replacement": "orbit.${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "event_name:header:eventName",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
*/
