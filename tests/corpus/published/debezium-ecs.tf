# Debezium Server on Fargate: Mongo change streams -> MSK.
# Everything is set through environment variables; there is no config volume.

variable "debezium_image" {
  description = "debezium/server plus the MSK IAM jar, see debezium-image/Dockerfile"
  type        = string
  default     = "111122223333.dkr.ecr.eu-west-1.amazonaws.com/ledger-debezium:3.1.1-msk-iam"
}

resource "aws_ecs_task_definition" "debezium" {
  family                   = "${var.prefix}-debezium"
  network_mode             = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  cpu                      = "1024"
  memory                   = "2048"
  execution_role_arn       = aws_iam_role.ecs_execution.arn
  task_role_arn            = aws_iam_role.debezium.arn

  container_definitions = jsonencode([{
    name      = "debezium"
    image     = var.debezium_image
    essential = true

    environment = [
      # source
      { name = "DEBEZIUM_SOURCE_CONNECTOR_CLASS", value = "io.debezium.connector.mongodb.MongoDbConnector" },
      { name = "DEBEZIUM_SOURCE_TOPIC_PREFIX", value = "ledger" },
      { name = "DEBEZIUM_SOURCE_MONGODB_DATABASE_INCLUDE_LIST", value = "ledger_dev" },
      { name = "DEBEZIUM_SOURCE_MONGODB_COLLECTION_INCLUDE_LIST",
      value = "ledger_dev.invoices,ledger_dev.scans,ledger_dev.reviews" },
      # the connector takes a snapshot of every collection although the include
      # list is set; so name the ones it must leave alone
      { name = "DEBEZIUM_SOURCE_MONGODB_COLLECTION_EXCLUDE_LIST",
      value = "ledger_dev.chats,ledger_dev.sessions" },
      { name = "DEBEZIUM_SOURCE_CAPTURE_MODE", value = "change_streams_update_full" },
      { name = "DEBEZIUM_SOURCE_SNAPSHOT_MODE", value = "initial" },

      # offsets: in memory, each start takes the snapshot again (some seconds)
      { name = "JAVA_OPTS", value = "-Ddebezium.source.offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore" },
      { name = "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS", value = "10000" },

      # flatten
      { name = "DEBEZIUM_TRANSFORMS", value = "unwrap" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_TYPE", value = "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_ADD_FIELDS", value = "op,source.ts_ms" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_DELETE_TOMBSTONE_HANDLING_MODE", value = "rewrite" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_ARRAY_ENCODING", value = "document" },

      # sink
      { name = "DEBEZIUM_SINK_TYPE", value = "kafka" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS", value = local.msk_brokers },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL", value = "SASL_SSL" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM", value = "AWS_MSK_IAM" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG", value = "software.amazon.msk.auth.iam.IAMLoginModule required;" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_CLIENT_CALLBACK_HANDLER_CLASS", value = "software.amazon.msk.auth.iam.IAMClientCallbackHandler" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER", value = "org.apache.kafka.common.serialization.ByteArraySerializer" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER", value = "org.apache.kafka.common.serialization.ByteArraySerializer" },
      { name = "DEBEZIUM_FORMAT_KEY", value = "jsonbytearray" },
      { name = "DEBEZIUM_FORMAT_VALUE", value = "jsonbytearray" },
      { name = "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE", value = "false" },
      { name = "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE", value = "false" },
    ]

    secrets = [
      { name = "DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING", valueFrom = aws_secretsmanager_secret.mongo_uri.arn },
    ]
  }])
}
