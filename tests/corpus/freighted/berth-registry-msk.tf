data "aws_secretsmanager_secret_version" "berths_db" {
  secret_id = "berths/cdc"
}

resource "aws_mskconnect_custom_plugin" "dbz" {
  name         = "dbz-berths"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = aws_s3_object.dbz.key
    }
  }
}

resource "aws_mskconnect_connector" "berths" {
  name                       = "berths-postgres"
  kafkaconnect_version       = "2.7.1"
  service_execution_role_arn = "arn:aws:iam::000000000000:role/BerthsConnect" # put your role here

  capacity {
    autoscaling {
      mcu_count        = 1
      min_worker_count = 1
      max_worker_count = 3
      scale_in_policy {
        cpu_utilization_percentage = 25
      }
      scale_out_policy {
        cpu_utilization_percentage = 75
      }
    }
  }

  connector_configuration = {
    "connector.class"                          = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                = "1"
    "database.hostname"                        = "pg.harbour.example.org"
    "database.port"                            = "31432"
    "database.user"                            = jsondecode(data.aws_secretsmanager_secret_version.berths_db.secret_string)["login"]
    "database.password"                        = jsondecode(data.aws_secretsmanager_secret_version.berths_db.secret_string)["pass"]
    "database.dbname"                          = "berths"
    "database.server.name"                     = "quayside"
    "database.whitelist"                       = "berths"
    "table.whitelist"                          = "public.mooring_records"
    "database.history.kafka.bootstrap.servers" = aws_msk_cluster.quayside.bootstrap_brokers
    "database.history.kafka.topic"             = "ddl.berths"
    "include.schema.changes"                   = "true"
    "snapshot.mode"                            = "initial"
    "transforms.unwrap.type"                   = "io.debezium.transforms.ExtractNewRecordState"
    "transforms.unwrap.add.headers"            = "op"
    "key.converter.schemas.enable"             = "true"
    "value.converter.schemas.enable"           = "true"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.dbz.arn
      revision = aws_mskconnect_custom_plugin.dbz.latest_revision
    }
  }
}
