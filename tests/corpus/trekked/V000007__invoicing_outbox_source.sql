/*
Outbox source of the invoicing service (ksqlDB migration).
The rows hold events that are serialized already, so the bytes are handed on untouched.
*/

CREATE SOURCE CONNECTOR invoicing_outbox_source WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'plugin.name' = 'pgoutput',
    'database.hostname' = 'pg-invoicing',
    'database.port' = '5432',
    'database.user' = 'postgres',
    'database.password' = '',
    'database.dbname' = 'invoicing',
    'database.server.name' = 'invoicing-svc',
    'slot.name' = 'invoicing_svc_outbox',
    'table.include.list' = 'public.messages_outbound',
    'transforms' = 'outbox',
    'transforms.outbox.type' = 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.key' = 'msg_key',
    'transforms.outbox.route.by.field' = 'target',
    'transforms.outbox.route.topic.replacement' = '${routedByValue}',
    'transforms.outbox.table.fields.additional.placement' = 'id:header:ce_id,created:header:ce_time,kind:header:ce_type,origin:header:ce_source',
    'value.converter' = 'io.debezium.converters.ByteBufferConverter'
);
