/*
 ksqlDB migration 3: the outbox of the ledger service.
 The events are Avro already, so the bytes are passed on as they are.
*/
CREATE SOURCE CONNECTOR ledger_outbox_source WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'plugin.name' = 'pgoutput',
    'database.hostname' = 'ledger-db',
    'database.port' = '5432',
    'database.user' = 'postgres',
    'database.password' = '${file:/secrets/ledger.properties:password}',
    'database.dbname' = 'ledger',
    'database.server.name' = 'ledger-service',
    'slot.name' = 'ledger_service_outbox',
    'table.include.list' = 'public.outbox_outboxitem',
    'transforms' = 'outbox',
    'transforms.outbox.type' = 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.key' = 'message_key',
    'transforms.outbox.route.by.field' = 'topic',
    'transforms.outbox.route.topic.replacement' = '${routedByValue}',
    'transforms.outbox.table.fields.additional.placement' = 'timestamp:header:ce_time,event_type:header:ce_type,source:header:ce_source',
    'value.converter' = 'io.debezium.converters.ByteBufferConverter'
);
