locals {
  name   = "shopdata-cdc"
  region = "eu-central-1"

  plugin_url = "https://repo.example.org/io/debezium/debezium-connector-mysql/2.3.0.Final/debezium-connector-mysql-2.3.0.Final-plugin.tar.gz"
  plugin_jar = "debezium-connector-mysql/debezium-connector-mysql-2.3.0.Final.jar"
}

module "db" {
  source = "terraform-aws-modules/rds/aws"

  identifier                  = local.name
  engine                      = "mysql"
  engine_version              = "8.0"
  family                      = "mysql8.0"
  major_engine_version        = "8.0"
  instance_class              = "db.t4g.micro"
  allocated_storage           = 20
  manage_master_user_password = false

  db_name  = "shopdata"
  username = "shopdata_admin"
  password = aws_secretsmanager_secret_version.db.secret_string
  port     = 3306
}

module "msk" {
  source = "terraform-aws-modules/msk-kafka-cluster/aws"

  name                   = local.name
  kafka_version          = "3.4.0"
  number_of_broker_nodes = 3

  connect_custom_plugins = {
    debezium = {
      name          = "debezium-mysql"
      content_type  = "JAR"
      s3_bucket_arn = module.plugins.s3_bucket_arn
      s3_file_key   = aws_s3_object.plugin.id
    }
  }

  schema_registries = {
    cdc = { name = "cdc" }
  }
}

resource "aws_mskconnect_connector" "mysql" {
  name                 = local.name
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      worker_count = 1
    }
  }

  connector_configuration = {
    "name"                                          = local.name
    "connector.class"                               = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                     = 1
    "database.hostname"                             = module.db.db_instance_address
    "database.port"                                 = 3306
    "database.user"                                 = module.db.db_instance_username
    "database.password"                             = aws_secretsmanager_secret_version.db.secret_string
    "database.server_name"                          = module.db.db_instance_name
    "database.history.kafka.bootstrap.servers"      = module.msk.bootstrap_brokers_tls
    "database.history.kafka.topic"                  = "dbhistory.shopdata"
    "key.converter"                                 = "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter"
    "key.converter.region"                          = local.region
    "key.converter.registry.name"                   = module.msk.schema_registries.cdc.registry_name
    "key.converter.compatibility"                   = "FORWARD"
    "key.converter.schemaAutoRegistrationEnabled"   = true
    "value.converter"                               = "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter"
    "value.converter.region"                        = local.region
    "value.converter.registry.name"                 = module.msk.schema_registries.cdc.registry_name
    "value.converter.compatibility"                 = "FORWARD"
    "value.converter.schemaAutoRegistrationEnabled" = true
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = module.msk.bootstrap_brokers_tls
      vpc {
        security_groups = [module.security_group.security_group_id]
        subnets         = module.vpc.public_subnets
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "NONE"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }

  plugin {
    custom_plugin {
      arn      = module.msk.connect_custom_plugins.debezium.arn
      revision = module.msk.connect_custom_plugins.debezium.latest_revision
    }
  }

  service_execution_role_arn = module.connect_role.iam_role_arn
}
