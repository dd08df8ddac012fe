-- ksqlDB CLI 0.29, Debezium plugin of Confluent Hub (3.1) in the embedded Connect worker.
-- Amounts still arrive as base64, although the snippet is copied from the documentation page.
CREATE SOURCE CONNECTOR tolls_reader WITH (
  'connector.class'             = 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max'                   = '1',
  'database.hostname'           = 'tolls-postgres',
  'database.port'               = '5432',
  'database.user'               = 'postgres',
  'database.password'           = 'postgres',
  'database.dbname'             = 'tolls',
  'topic.prefix'                = 'tolls',
  'plugin.name'                 = 'pgoutput',
  'slot.name'                   = 'ksql_tolls',
  'schema.include.list'         = 'gantry',
  'decimal.handing.mode'        = 'double',
  'time.precision.mode'         = 'connect',
  'key.converter'               = 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter'             = 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable' = 'false',
  'transforms'                  = 'unwrap',
  'transforms.unwrap.type'      = 'io.debezium.transforms.ExtractNewRecordState'
);

CREATE STREAM passages (id BIGINT KEY, plate VARCHAR, amount DOUBLE)
  WITH (KAFKA_TOPIC = 'tolls.gantry.passage', VALUE_FORMAT = 'JSON');
