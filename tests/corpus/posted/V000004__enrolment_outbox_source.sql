/*
Source connector of the enrolment service.

The Django app writes already serialised CloudEvents (Avro bytes) into the table
enrolment_outboxitem. The rows are passed on without another serialisation, the
attributes of the event travel as Kafka headers.

  id            uuid primary key
  message_key   varchar(255)
  topic         varchar(255)
  event_type    varchar(255)
  source        varchar(255)
  content_type  varchar(255)
  timestamp     timestamptz
  payload       bytea
  aggregateid / aggregatetype are not used
*/

CREATE SOURCE CONNECTOR enrolment_outbox_source WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'plugin.name' = 'pgoutput',
    'database.hostname' = 'pg',
    'database.port' = '5432',
    'database.user' = 'postgres',
    'database.password' = '',
    'database.dbname' = 'enrolment',
    'database.server.name' = 'enrolment-service',
    'slot.name' = 'enrolment_service_cdc',
    'table.include.list' = 'public.enrolment_outboxitem',
    'transforms' = 'outbox',
    'transforms.outbox.type' = 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.key' = 'message_key',
    'transforms.outbox.route.by.field' = 'topic',
    'transforms.outbox.route.topic.replacement' = '${routedByValue}',
    'transforms.outbox.table.fields.additional.placement' = 'id:header:ce_id,timestamp:header:ce_time,event_type:header:ce_type,source:header:ce_source,content_type:header:content-type',
    'value.converter' = 'io.debezium.converters.ByteBufferConverter'
);
