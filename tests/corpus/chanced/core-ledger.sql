SHOW STREAMS;

CREATE SOURCE CONNECTOR `helpdesk-source` WITH(
    'connection.uri'='mongodb://user:password@mongodb-helpdesk/helpdesk',
    'connector.class'='com.mongodb.kafka.connect.MongoSourceConnector',
    'database'='helpdesk',
    'collection'='tickets',
    'topic.namespace.map'='{"helpdesk":"feed.helpdesk.default","helpdesk.tickets":"feed.helpdesk.tickets"}',
    'publish.full.document.only'=true,
    'output.format.value'='schema',
    'output.schema.value'='{"namespace":"org.example","type":"record","name":"Ticket","fields":[{"name":"_id","type":"string"},{"name":"title","type":"string"}]}',
    'key.converter'='org.apache.kafka.connect.storage.StringConverter',
    'value.converter'='io.confluent.connect.avro.AvroConverter',
    'value.converter.schema.registry.url'='http://schema-registry:8081');

CREATE SOURCE CONNECTOR `ledger-source` WITH(
    'connector.class'='io.debezium.connector.postgresql.PostgresConnector',
    'database.server.name'='ledger',
    'database.hostname'='postgresql-ledger',
    'database.port'='5432',
    'database.user'='user',
    'database.password'='password',
    'database.dbname'='ledger',
    'plugin.name'='wal2json',
    'table.include.list'='public.deposit',
    'topic.creation.default.partitions'='1',
    'topic.creation.default.replication.factor'='1',
    'topic.creation.enable'='true',
    'transforms'='Reroute',
    'transforms.Reroute.type'='io.debezium.transforms.ByLogicalTableRouter',
    'transforms.Reroute.topic.regex'='ledger.public\.(.*)',
    'transforms.Reroute.topic.replacement'='feed.ledger.$1',
    'key.converter'='org.apache.kafka.connect.storage.StringConverter',
    'value.converter'='io.confluent.connect.avro.AvroConverter',
    'value.converter.schema.registry.url'='http://schema-registry:8081'
);

CREATE STREAM feed_ledger_deposits WITH (kafka_topic = 'feed.ledger.deposit', value_format = 'avro');

CREATE STREAM event_deposits
  AS SELECT
    d.AFTER->DEPOSIT_ID AS DEPOSIT_ID,
    d.AFTER->HOLDER_ID AS HOLDER_ID,
    d.AFTER->BALANCE AS BALANCE
  FROM feed_ledger_deposits d
PARTITION BY d.AFTER->HOLDER_ID;
