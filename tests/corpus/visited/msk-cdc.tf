resource "aws_iam_service_linked_role" "connect" {
  aws_service_name = "kafkaconnect.amazonaws.com"
}

resource "aws_security_group" "connect" {
  name_prefix = "${var.stack}-connect-"
  description = "CDC workers"
  vpc_id      = var.vpc_id

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_iam_role" "connect" {
  name = "connect-${var.stage}"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "kafkaconnect.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_cloudwatch_log_group" "connect" {
  name              = "/msk/connect/${var.stage}"
  retention_in_days = 7
}

resource "aws_mskconnect_connector" "stream" {
  for_each = var.streams

  name                 = each.key
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"       = "1" # one slot, one task

    "database.hostname" = var.pg_host
    "database.port"     = tostring(var.pg_port)
    "database.user"     = postgresql_role.cdc[each.key].name
    "database.password" = random_password.cdc[each.key].result
    "database.dbname"   = each.value.database

    # gives topics like pg.accounts.t_accounts
    "topic.prefix"        = each.value.prefix
    "schema.include.list" = each.value.schema
    "table.include.list"  = join(",", each.value.tables)

    "plugin.name"                 = "pgoutput"
    "slot.name"                   = each.value.slot
    "publication.name"            = each.value.publication
    "publication.autocreate.mode" = "filtered"

    # rows that are there already come first
    "snapshot.mode" = "initial"

    # keeps the slot moving while the tables are quiet
    "heartbeat.interval.ms" = "10000"
    "decimal.handling.mode" = "string"
    "time.precision.mode"   = "connect"
    "tombstones.on.delete" = "true"

    "errors.tolerance"            = "none"
    "errors.log.enable"           = "true"
    "errors.log.include.messages" = "true"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    # no schema in each message
    "key.converter.schemas.enable"   = "false"
    "value.converter.schemas.enable" = "false"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam

      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.subnet_ids
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "IAM"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium.arn
      revision = aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }

  log_delivery {
    worker_log_delivery {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.connect.name
      }
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
