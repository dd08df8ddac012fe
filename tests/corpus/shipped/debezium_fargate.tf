# Debezium Server (change streams de Mongo -> MSK) en ECS Fargate.
#
# Toda la configuración va por variables de entorno (prefijo DEBEZIUM_*); no hay volumen.

variable "debezium_image" {
  description = "Imagen de Debezium Server."
  type        = string
  default     = "debezium/server:3.0.0.Final"
}

variable "debezium_desired_count" {
  description = "0 hasta que el cluster esté arriba."
  type        = number
  default     = 0
}

resource "aws_ecs_task_definition" "debezium" {
  family                   = "${var.prefix}-debezium"
  network_mode             = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  cpu                      = "1024"
  memory                   = "2048"
  execution_role_arn       = aws_iam_role.ecs_task_execution.arn
  task_role_arn            = aws_iam_role.debezium_task.arn

  container_definitions = jsonencode([{
    name      = "debezium"
    image     = var.debezium_image
    essential = true

    environment = [
      # ── Origen: MongoDB ─────────────────────────────────────────────
      { name = "DEBEZIUM_SOURCE_CONNECTOR_CLASS", value = "io.debezium.connector.mongodb.MongoDbConnector" },
      { name = "DEBEZIUM_SOURCE_TOPIC_PREFIX", value = "travel" },
      { name = "DEBEZIUM_SOURCE_MONGODB_DATABASE_INCLUDE_LIST", value = "travel_dev" },
      { name = "DEBEZIUM_SOURCE_MONGODB_COLLECTION_INCLUDE_LIST",
      value = "travel_dev.trips,travel_dev.tickets,travel_dev.reviews" },
      # capture.mode: el documento completo en cada update
      { name = "DEBEZIUM_SOURCE_CAPTURE_MODE", value = "change_streams_update_full" },
      { name = "DEBEZIUM_SOURCE_SNAPSHOT_MODE", value = "initial" },

      # ── Offsets ─────────────────────────────────────────────────────
      # En Fargate el fichero se pierde con la tarea. Aceptable en dev; en prod, un topic.
      { name = "DEBEZIUM_SOURCE_OFFSET_STORAGE", value = "org.apache.kafka.connect.storage.FileOffsetBackingStore" },
      { name = "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME", value = "/tmp/offsets.dat" },
      { name = "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS", value = "10000" },

      # ── SMT ─────────────────────────────────────────────────────────
      { name = "DEBEZIUM_TRANSFORMS", value = "unwrap" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_TYPE", value = "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_ADD_FIELDS", value = "op,source.ts_ms" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_DELETE_TOMBSTONE_HANDLING_MODE", value = "rewrite" },

      # ── Destino: Kafka / MSK IAM ────────────────────────────────────
      { name = "DEBEZIUM_SINK_TYPE", value = "kafka" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS", value = aws_msk_serverless_cluster.main.bootstrap_brokers_sasl_iam },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL", value = "SASL_SSL" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM", value = "AWS_MSK_IAM" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG", value = "software.amazon.msk.auth.iam.IAMLoginModule required;" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_CLIENT_CALLBACK_HANDLER_CLASS", value = "software.amazon.msk.auth.iam.IAMClientCallbackHandler" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER", value = "org.apache.kafka.common.serialization.StringSerializer" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER", value = "org.apache.kafka.common.serialization.StringSerializer" },
      { name = "DEBEZIUM_FORMAT_VALUE", value = "json" },
      { name = "DEBEZIUM_FORMAT_KEY", value = "json" },
      { name = "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE", value = "false" },
      { name = "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE", value = "false" },

      { name = "QUARKUS_LOG_LEVEL", value = "INFO" },
    ]

    secrets = [
      { name = "DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING", valueFrom = aws_secretsmanager_secret.mongodb_uri.arn },
    ]

    logConfiguration = {
      logDriver = "awslogs"
      options = {
        "awslogs-group"         = aws_cloudwatch_log_group.debezium.name
        "awslogs-region"        = var.aws_region
        "awslogs-stream-prefix" = "ecs"
      }
    }
  }])
}

resource "aws_ecs_service" "debezium" {
  name            = "${var.prefix}-debezium"
  cluster         = aws_ecs_cluster.main.id
  task_definition = aws_ecs_task_definition.debezium.arn
  launch_type     = "FARGATE"
  desired_count   = var.debezium_desired_count

  network_configuration {
    subnets         = aws_subnet.private[*].id
    security_groups = [aws_security_group.worker.id]
  }
}
