/*
Source connector over the outbox of the ledger service. The events are serialized with the
canonical schema already, so their bytes go to the public topic as they are.
*/

CREATE SOURCE CONNECTOR ledger_outbox_source WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'plugin.name' = 'pgoutput',
    'database.hostname' = 'postgres',
    'database.port' = '5432',
    'database.user' = 'postgres',
    'database.password' = '',
    'database.dbname' = 'ledger',
    'database.server.name' = 'ledger-service',
    'slot.name' = 'ledger_service_cdc',
    'table.include.list' = 'public.messages_outboxrow',
    'transforms' = 'outbox',
    'transforms.outbox.type' = 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.key' = 'record_key',
    'transforms.outbox.route.by.field' = 'channel',
    'transforms.outbox.route.topic.replacement' = '${routedByValue}',
    'transforms.outbox.table.fields.additional.placement' = 'id:header:ce_id,occurred:header:ce_time,kind:header:ce_type,origin:header:ce_source,mime:header:content-type',
    'value.converter' = 'io.debezium.converters.ByteBufferConverter'
);
