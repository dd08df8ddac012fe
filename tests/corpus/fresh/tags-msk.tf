module "mskconnect" {
  source = "./module/mskconnect"

  custom_plugins = {
    "debezium-connector-postgres-1-9-0" = {
      s3_bucket_arn = "arn:aws:s3:::tags-plugins"
      s3_file_key   = "debezium-connector-postgres-1.9.0.zip"
    }
  }

  connectors = {
    tags-cdc = {
      name = "tags-cdc"
      connector_configuration = {
        "connector.class"="io.debezium.connector.postgresql.PostgresConnector"
        "transforms.unwrap.delete.handling.mode"="rewrite"
        "max.queue.size"="102400"
        "slot.name"="tags_slot_20240501"
        "tasks.max"="1"
        "publication.name"="tags_pub_20240501"
        "retriable.restart.connector.wait.ms"="60000"
        "transforms"="unwrap"
        "schema.include.list"="public"
        "slot.max.retries"="9999"
        "slot.retry.delay.ms"="10000"
        "heartbeat.action.query"="insert into public.debezium_heartbeat_tags(create_date) select now()"
        "decimal.handling.mode"="string"
        "transforms.unwrap.drop.tombstones"="false"
        "poll.interval.ms"="100"
        "transforms.unwrap.type"="io.debezium.transforms.ExtractNewRecordState"
        "value.converter"="org.apache.kafka.connect.json.JsonConverter"
        "snapshot.fetch.size"="51200"
        "key.converter"="org.apache.kafka.connect.json.JsonConverter"
        "database.tcpKeepAlive"="true"
        "publication.autocreate.mode"="all_tables"
        "database.user"="logicalrepl"
        "database.dbname"="tags"
        "slot.drop.on.stop"="false"
        "+status.update.interval.ms"="10000"
        "xmin.fetch.interval.ms"="10000"
        "database.server.name"="tags"
        "heartbeat.interval.ms"="30000"
        "database.port"="5432"
        "plugin.name"="pgoutput"
        "schema.ignore"="true"
        "database.hostname"="tags.cluster-example.eu-west-1.rds.amazonaws.com"
        "database.password"="xxxxxxxxxxxxxxxx"
        "value.converter.schemas.enable"="false"
        "transforms.unwrap.add.fields"="op,db,table,schema,lsn,source.ts_ms"
        "table.include.list"="public.debezium_heartbeat_tags,public.tag_ids"
        "max.batch.size"="51200"
        "snapshot.mode"="initial"
      }
      bootstrap_servers   = "b-1.tags.example:9098,b-2.tags.example:9098"
      authentication_type = "IAM"
    }
  }
}
