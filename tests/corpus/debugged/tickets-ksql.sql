-- keys are strings here (KAFKA format), values Avro
CREATE STREAM tickets_raw (ticket_id VARCHAR KEY, seat VARCHAR, price DOUBLE)
  WITH (KAFKA_TOPIC='tickets', KEY_FORMAT='KAFKA', VALUE_FORMAT='AVRO', PARTITIONS=3);

CREATE STREAM tickets_dear
  WITH (KAFKA_TOPIC='tickets_dear', KEY_FORMAT='KAFKA', VALUE_FORMAT='AVRO') AS
  SELECT ticket_id, seat, price FROM tickets_raw WHERE price > 100 EMIT CHANGES;

CREATE SINK CONNECTOR sink_tickets_01 WITH (
  'connector.class'                     = 'io.confluent.connect.jdbc.JdbcSinkConnector',
  'connection.url'                      = 'jdbc:postgresql://postgres:5432/',
  'connection.user'                     = 'postgres',
  'connection.password'                 = 'postgres',
  'topics'                              = 'tickets_dear',
  'key.converter'                       = 'io.confluent.connect.avro.AvroConverter',
  'key.converter.schema.registry.url'   = 'http://schema-registry:8081',
  'value.converter'                     = 'io.confluent.connect.avro.AvroConverter',
  'value.converter.schema.registry.url' = 'http://schema-registry:8081',
  'auto.create'                         = 'true',
  'insert.mode'                         = 'upsert',
  'pk.mode'                             = 'record_key',
  'pk.fields'                           = 'ticket_id'
);

DESCRIBE CONNECTOR sink_tickets_01;
