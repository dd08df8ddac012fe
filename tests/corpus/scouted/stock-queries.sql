CREATE SOURCE CONNECTOR `stockservice-source` WITH(
    "connector.class"='io.debezium.connector.postgresql.PostgresConnector', 
    "plugin.name"='pgoutput',
    "database.hostname"='stockpg', 
    "database.port"='5432', 
    "database.user"='postgres', 
    "database.password"='postgres', 
    "database.dbname" ='postgres', 
    "database.server.name"='stockservice',
    "transforms"='unwrap',
    "transforms.unwrap.type"='io.debezium.transforms.ExtractNewRecordState',
    "transforms.unwrap.operation.header"=true,
    "transforms.unwrap.delete.handling.mode"='rewrite',
    "transforms.unwrap.drop.tombstones"=false,
    "transforms.unwrap.add.source.fields"='lsn,txId,ts_ms',
    "key.converter"='org.apache.kafka.connect.json.JsonConverter',
    "key.converter.schemas.enable"=false,
    "value.converter"='org.apache.kafka.connect.json.JsonConverter',
    "value.converter.schemas.enable"=false
);


CREATE SINK CONNECTOR `stock-search-sink` WITH(
    "connector.class"='io.confluent.connect.elasticsearch.ElasticsearchSinkConnector',
    "connection.url"='http://search:9200',
    "topics"='STOCK_VARIANTS_REKEYED',
    "type.name"='variants',
    "value.converter"='org.apache.kafka.connect.json.JsonConverter',
    "value.converter.schemas.enable"=false,
    "key.converter"='org.apache.kafka.connect.storage.StringConverter',
    "key.converter.schemas.enable"=false,
    "schema.ignore"=true,
    "key.ignore"=false
);
-- the converters decide how key and value are written;
-- schemas.enable=false leaves the plain row instead of schema and payload
