terraform {
  source = "../..//modules/mskconnect"
}

include root {
  path   = find_in_parent_folders()
  expose = true
}

inputs = {
  plugins = {
    "debezium-postgres-1-9-0" = {
      description   = "debezium-connector-postgres-1.9.0 with the aws config provider"
      s3_bucket_arn = "arn:aws:s3:::acme-cdc-plugins"
      s3_file_key   = "debezium-connector-postgres-1.9.0-aws-config.zip"
    }
    "elasticsearch-11-1-10" = {
      description   = "confluentinc-kafka-connect-elasticsearch-11.1.10 with debezium-core"
      s3_bucket_arn = "arn:aws:s3:::acme-cdc-plugins"
      s3_file_key   = "confluentinc-kafka-connect-elasticsearch-11.1.10.zip"
    }
  }

  connectors = {
    tags-source = {
      name   = "tags-source"
      plugin = "debezium-postgres-1-9-0"
      connector_configuration = {
        "connector.class"                         = "io.debezium.connector.postgresql.PostgresConnector"
        "tasks.max"                               = "1"
        "database.hostname"                       = "tags.cluster-xxxx.rds.example.org"
        "database.port"                           = "5432"
        "database.user"                           = "replicator"
        "database.password"                       = "xxxxxxxx"
        "database.dbname"                         = "tags"
        "database.server.name"                    = "tags"
        "database.tcpKeepAlive"                   = "true"
        "plugin.name"                             = "pgoutput"
        "slot.name"                               = "tags_slot_20230401"
        "slot.drop.on.stop"                       = "false"
        "slot.max.retries"                        = "9999"
        "slot.retry.delay.ms"                     = "10000"
        "publication.name"                        = "tags_pub_20230401"
        "publication.autocreate.mode"             = "all_tables"
        "schema.include.list"                     = "public"
        "table.include.list"                      = "public.cdc_beat,public.tag_scheme"
        "heartbeat.interval.ms"                   = "30000"
        "heartbeat.action.query"                  = "insert into public.cdc_beat(seen_at) select now()"
        "+status.update.interval.ms"              = "10000"
        "decimal.handling.mode"                   = "string"
        "snapshot.mode"                           = "initial"
        "snapshot.fetch.size"                     = "51200"
        "max.batch.size"                          = "51200"
        "max.queue.size"                          = "102400"
        "transforms"                              = "unwrap"
        "transforms.unwrap.type"                  = "io.debezium.transforms.ExtractNewRecordState"
        "transforms.unwrap.drop.tombstones"       = "false"
        "transforms.unwrap.delete.handling.mode"  = "rewrite"
        "transforms.unwrap.add.fields"            = "op,db,table,schema,lsn,source.ts_ms"
        "key.converter"                           = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter"                         = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable"          = "false"
      }
      authentication_type = "IAM"
    }

    tags-search = {
      name   = "tags-search"
      plugin = "elasticsearch-11-1-10"
      connector_configuration = {
        "connector.class"                = "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector"
        "tasks.max"                      = "2"
        "topics"                         = "tags.public.tag_scheme"
        "connection.url"                 = "https://search.example.org"
        "connection.username"            = "cdc"
        "connection.password"            = "xxxxxxxx"
        "key.ignore"                     = "true"
        "schema.ignore"                  = "true"
        "transforms"                     = "unwrap,key"
        "transforms.unwrap.type"         = "io.debezium.transforms.ExtractNewRecordState"
        "transforms.key.type"            = "org.apache.kafka.connect.transforms.ExtractField$Key"
        "transforms.key.field"           = "id"
        "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
        "key.converter.schemas.enable"   = "false"
        "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable" = "false"
      }
      authentication_type = "IAM"
    }
  }
}
