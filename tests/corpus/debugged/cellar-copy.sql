-- from the MySQL of the cellar to the PostgreSQL of the shop, all in the ksqlDB CLI
CREATE SOURCE CONNECTOR cellar_source WITH (
  'connector.class'                          = 'io.debezium.connector.mysql.MySqlConnector',
  'database.hostname'                        = 'mysql',
  'database.port'                            = '3306',
  'database.user'                            = 'debezium',
  'database.password'                        = 'dbz',
  'database.allowPublicKeyRetrieval'         = 'true',
  'database.server.id'                       = '184054',
  'database.server.name'                     = 'cellarsrv',
  'database.whitelist'                       = 'cellar',
  'database.history.kafka.bootstrap.servers' = 'broker:9092',
  'database.history.kafka.topic'             = 'schema-changes.cellar',
  'transforms'                               = 'unwrap',
  'transforms.unwrap.type'                   = 'io.debezium.transforms.UnwrapFromEnvelope',
  'key.converter'                            = 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable'             = 'true',
  'value.converter'                          = 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable'           = 'true'
);

CREATE SINK CONNECTOR shop_sink WITH (
  'connector.class'                = 'io.confluent.connect.jdbc.JdbcSinkConnector',
  'topics'                         = 'cellarsrv.cellar.bottles',
  'table.name.format'              = 'bottles',
  'connection.url'                 = 'jdbc:postgresql://postgres:5432/shop',
  'connection.user'                = 'postgres',
  'connection.password'            = 'postgres',
  'key.converter'                  = 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable'   = 'true',
  'value.converter'                = 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable' = 'true',
  'insert.mode'                    = 'upsert',
  'delete.enabled'                 = 'true',
  'pk.mode'                        = 'record_key',
  'pk.fields'                      = 'id',
  'auto.create'                    = 'true'
);
