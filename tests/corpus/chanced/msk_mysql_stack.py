from aws_cdk import Stack, aws_kafkaconnect
from constructs import Construct


class MysqlCaptureStack(Stack):
    def __init__(self, scope: Construct, construct_id: str, db_host, db_secret, brokers, subnets, groups, role, plugin, **kwargs):
        super().__init__(scope, construct_id, **kwargs)
        ctx = self.node.try_get_context("capture")
        secret = db_secret.secret_name
        iam = "software.amazon.msk.auth.iam.IAMLoginModule required;"
        handler = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"

        aws_kafkaconnect.CfnConnector(
            self, "MysqlCapture",
            connector_name=ctx["name"],
            kafka_connect_version="2.7.1",
            capacity=aws_kafkaconnect.CfnConnector.CapacityProperty(
                provisioned_capacity=aws_kafkaconnect.CfnConnector.ProvisionedCapacityProperty(mcu_count=1, worker_count=1)),
            connector_configuration={
                "connector.class": "io.debezium.connector.mysql.MySqlConnector",
                "tasks.max": "1",
                "database.hostname": db_host,
                "database.port": "3306",
                # resolved by the worker, not by CDK
                "database.user": f"${{secretManager:{secret}:username}}",
                "database.password": f"${{secretManager:{secret}:password}}",
                "database.server.id": "880123",
                "database.include.list": ctx["databases"],
                "topic.prefix": ctx["prefix"],
                "topic.creation.enable": "true",
                "topic.creation.default.partitions": ctx["partitions"],
                "topic.creation.default.replication.factor": ctx["replicas"],
                "include.schema.changes": "true",
                "schema.history.internal.kafka.topic": ctx["ddl_topic"],
                "schema.history.internal.kafka.bootstrap.servers": brokers,
                "schema.history.internal.consumer.security.protocol": "SASL_SSL",
                "schema.history.internal.consumer.sasl.mechanism": "AWS_MSK_IAM",
                "schema.history.internal.consumer.sasl.jaas.config": iam,
                "schema.history.internal.consumer.sasl.client.callback.handler.class": handler,
                "schema.history.internal.producer.security.protocol": "SASL_SSL",
                "schema.history.internal.producer.sasl.mechanism": "AWS_MSK_IAM",
                "schema.history.internal.producer.sasl.jaas.config": iam,
                "schema.history.internal.producer.sasl.client.callback.handler.class": handler,
            },
            kafka_cluster=aws_kafkaconnect.CfnConnector.KafkaClusterProperty(
                apache_kafka_cluster=aws_kafkaconnect.CfnConnector.ApacheKafkaClusterProperty(
                    bootstrap_servers=brokers,
                    vpc=aws_kafkaconnect.CfnConnector.VpcProperty(security_groups=groups, subnets=subnets))),
            kafka_cluster_client_authentication=aws_kafkaconnect.CfnConnector.KafkaClusterClientAuthenticationProperty(
                authentication_type="IAM"),
            kafka_cluster_encryption_in_transit=aws_kafkaconnect.CfnConnector.KafkaClusterEncryptionInTransitProperty(
                encryption_type="TLS"),
            plugins=[plugin],
            service_execution_role_arn=role.role_arn,
        )
