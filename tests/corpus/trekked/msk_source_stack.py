import aws_cdk as cdk
from aws_cdk import Stack, aws_kafkaconnect
from constructs import Construct


class MskSourceStack(Stack):

  def __init__(self, scope: Construct, cid: str, db_host, secret_name, brokers, cluster, plugin, worker_config, role, **kwargs) -> None:
    super().__init__(scope, cid, **kwargs)
    conf = self.node.try_get_context('msk_source')

    source = aws_kafkaconnect.CfnConnector(self, "AuroraSource",
      capacity=aws_kafkaconnect.CfnConnector.CapacityProperty(
        auto_scaling=aws_kafkaconnect.CfnConnector.AutoScalingProperty(
          max_worker_count=2, min_worker_count=1, mcu_count=1,
          scale_in_policy=aws_kafkaconnect.CfnConnector.ScaleInPolicyProperty(cpu_utilization_percentage=20),
          scale_out_policy=aws_kafkaconnect.CfnConnector.ScaleOutPolicyProperty(cpu_utilization_percentage=80)
        )
      ),
      connector_configuration={
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": conf['tasks.max'],

        "database.hostname": db_host,
        "database.port": "3306",
        # resolved in the worker by its config provider
        "database.user": f"${{secretManager:{secret_name}:username}}",
        "database.password": f"${{secretManager:{secret_name}:password}}",
        "database.server.id": "654321",
        "database.include.list": conf['database.include.list'],

        "topic.prefix": conf['topic.prefix'],
        "topic.creation.enable": "true",
        "topic.creation.default.partitions": conf['partitions'],
        "topic.creation.default.replication.factor": conf['replication'],
        "include.schema.changes": conf['include.schema.changes'],

        "schema.history.internal.kafka.topic": conf['history.topic'],
        "schema.history.internal.kafka.bootstrap.servers": brokers,
        "schema.history.internal.consumer.security.protocol": "SASL_SSL",
        "schema.history.internal.consumer.sasl.mechanism": "AWS_MSK_IAM",
        "schema.history.internal.consumer.sasl.jaas.config": "software.amazon.msk.auth.iam.IAMLoginModule required;",
        "schema.history.internal.consumer.sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMClientCallbackHandler",
        "schema.history.internal.producer.security.protocol": "SASL_SSL",
        "schema.history.internal.producer.sasl.mechanism": "AWS_MSK_IAM",
        "schema.history.internal.producer.sasl.jaas.config": "software.amazon.msk.auth.iam.IAMLoginModule required;",
        "schema.history.internal.producer.sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMClientCallbackHandler",
      },
      connector_name=conf['name'],
      kafka_cluster=cluster,
      kafka_cluster_client_authentication={"authenticationType": "IAM"},
      kafka_cluster_encryption_in_transit={"encryptionType": "TLS"},
      kafka_connect_version="3.7.x",
      plugins=[plugin],
      service_execution_role_arn=role.role_arn,
      worker_configuration=worker_config,
    )
    cdk.CfnOutput(self, 'SourceArn', value=source.attr_connector_arn)
