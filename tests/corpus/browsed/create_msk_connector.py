import json
import os
import time

import boto3

region = "eu-west-1"
kafkaconnect = boto3.client("kafkaconnect", region)
kafka = boto3.client("kafka", region)
pipes = boto3.client("pipes", region)
secrets = boto3.client("secretsmanager", region)

secret = json.loads(secrets.get_secret_value(SecretId=os.environ["SECRET_NAME"])["SecretString"])


def lambda_handler(event, context):
    plugin = kafkaconnect.create_custom_plugin(
        contentType="ZIP",
        description="plugin of the delivery stream",
        location={"s3Location": {"bucketArn": os.environ["BUCKET_ARN"], "fileKey": os.environ["OBJECT_KEY"]}},
        name="delivery-plugin",
    )
    time.sleep(5)

    brokers = kafka.get_bootstrap_brokers(ClusterArn=os.environ["CLUSTER_ARN"])["BootstrapBrokerStringSaslIam"]

    kafkaconnect.create_connector(
        connectorName="DeliveryEvents",
        kafkaConnectVersion="2.7.1",
        capacity={"provisionedCapacity": {"mcuCount": 2, "workerCount": 2}},
        connectorConfiguration={
            'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
            'tasks.max': '1',
            'database.hostname': os.environ["DB_HOST"],
            'database.user': secret['username'],
            'database.password': secret['password'],
            'database.dbname': 'deliveries',
            'topic.prefix': 'deliveries',
            'plugin.name': 'pgoutput',
            'table.include.list': 'public.delivery_event',
            'transforms': 'unwrap',
            'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState',
            'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
            'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
            'value.converter.schemas.enable': 'false',
            'internal.key.converter': 'org.apache.kafka.connect.json.JsonConverter',
            'internal.value.converter': 'org.apache.kafka.connect.json.JsonConverter',
        },
        kafkaCluster={
            "apacheKafkaCluster": {
                "bootstrapServers": brokers,
                "vpc": {
                    "securityGroups": [os.environ["SECURITY_GROUP"]],
                    "subnets": [os.environ["SUBNET_A"], os.environ["SUBNET_B"]],
                },
            }
        },
        kafkaClusterClientAuthentication={"authenticationType": "IAM"},
        kafkaClusterEncryptionInTransit={"encryptionType": "TLS"},
        plugins=[{"customPlugin": {"customPluginArn": plugin["customPluginArn"], "revision": plugin["revision"]}}],
        serviceExecutionRoleArn=os.environ["SERVICE_ROLE"],
    )

    pipes.start_pipe(Name="DeliveryEventPipe")
    return {"statusCode": 200, "body": "created"}
