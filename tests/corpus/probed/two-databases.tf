resource "aws_mskconnect_connector" "branches" {
  name                 = "branches-mssql"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 2
    }
  }

  connector_configuration = {
    "connector.class"          = "io.debezium.connector.sqlserver.SqlServerConnector"
    "tasks.max"                = "2" # one for each database
    "database.hostname"        = aws_db_instance.branches.address
    "database.port"            = "1433"
    "database.user"            = "$${secretManager:branches-cdc:username}"
    "database.password"        = "$${secretManager:branches-cdc:password}"
    "database.names"           = "BranchNorth,BranchSouth"
    "database.applicationIntent" = "ReadOnly"
    "snapshot.isolation.mode"  = "snapshot"
    "topic.prefix"             = "branch"
    "table.include.list"       = "dbo\\.Sales,dbo\\.Stock"
    "data.query.mode"          = "direct"
    "tombstones.on.delete"     = "false"
    "schema.history.internal.kafka.bootstrap.servers"            = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
    "schema.history.internal.kafka.topic"                        = "branch.history"
    "schema.history.internal.producer.security.protocol"         = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism"            = "AWS_MSK_IAM"
    "schema.history.internal.producer.sasl.jaas.config"          = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "schema.history.internal.consumer.security.protocol"         = "SASL_SSL"
    "schema.history.internal.consumer.sasl.mechanism"            = "AWS_MSK_IAM"
    "schema.history.internal.consumer.sasl.jaas.config"          = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
  }
}
