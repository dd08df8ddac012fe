# Well readings: outbox -> Debezium Server (3.6, on ECS) -> SQS

resource "aws_sqs_queue" "readings" {
  name                       = "aquifer-readings.fifo"
  fifo_queue                 = true
  visibility_timeout_seconds = 60
  message_retention_seconds  = 1209600
  sqs_managed_sse_enabled    = true
}

data "aws_iam_policy_document" "debezium" {
  statement {
    actions   = ["sqs:SendMessage", "sqs:GetQueueAttributes"]
    resources = [aws_sqs_queue.readings.arn]
  }
}

resource "aws_iam_role_policy" "debezium" {
  name   = "aquifer-debezium"
  role   = aws_iam_role.debezium_task.id
  policy = data.aws_iam_policy_document.debezium.json
}

resource "aws_ssm_parameter" "application_properties" {
  name = "/aquifer/debezium/application.properties"
  type = "String"

  value = <<-EOT
    debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
    debezium.source.database.hostname=${aws_rds_cluster.aquifer.endpoint}
    debezium.source.database.port=3306
    debezium.source.database.user=debezium
    debezium.source.database.password=$${AQUIFER_DB_PASSWORD}
    debezium.source.database.server.id=52117
    debezium.source.topic.prefix=aquifer
    debezium.source.table.include.list=aquifer.outbox
    debezium.source.snapshot.mode=no_data
    debezium.source.offset.storage.file.filename=/mnt/efs/offsets.dat
    debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
    debezium.source.schema.history.internal.file.filename=/mnt/efs/schema-history.dat
    debezium.transforms=outbox
    debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
    debezium.format.key=simplestring
    debezium.format.value=simplestring
    debezium.sink.type=sqs
    debezium.sink.sqs.region=${var.region}
    debezium.sink.sqs.queue.url=${aws_sqs_queue.readings.url}
    debezium.sink.sqs.fifo.message.group.id=readings
  EOT
}
