curl --location --request POST 'localhost:18083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "pets.flat.source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.server.name": "pets",
    "database.hostname": "pg",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "pets",
    "slot.name": "pets_flat",
    "table.include.list": "public.owners,public.cats",
    "transforms": "Short,Flat,NameBefore,NameAfter,Meta",
    "transforms.Short.type": "io.debezium.transforms.ByLogicalTableRouter",
    "transforms.Short.topic.regex": "^pets.public.(.+)$",
    "transforms.Short.topic.replacement": "$1",
    "transforms.Flat.type": "org.apache.kafka.connect.transforms.Flatten$Value",
    "transforms.Flat.delimiter": "_",
    "transforms.NameBefore.type": "com.github.jcustenborder.kafka.connect.transform.common.PatternRename$Value",
    "transforms.NameBefore.field.pattern": "^before",
    "transforms.NameBefore.field.replacement": "__before",
    "transforms.NameAfter.type": "com.github.jcustenborder.kafka.connect.transform.common.PatternRename$Value",
    "transforms.NameAfter.field.pattern": "^after_",
    "transforms.NameAfter.field.replacement": "",
    "transforms.Meta.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
    "transforms.Meta.renames": "source_db:__db,source_table:__table,source_schema:__schema,source_txId:__tx,source_lsn:__lsn,op:__op"
  }
}'
