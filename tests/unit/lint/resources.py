"""Files with resources of AWS and of Strimzi beside a connector: each as it should be."""

POSTGRES = "io.debezium.connector.postgresql.PostgresConnector"
MYSQL = "io.debezium.connector.mysql.MySqlConnector"

RDS = f"""resource "aws_db_parameter_group" "a" {{
  parameter {{
    name  = "rds.logical_replication"
    value = "1"
  }}
}}
resource "aws_db_instance" "a" {{
  engine                  = "postgres"
  parameter_group_name    = aws_db_parameter_group.a.name
  backup_retention_period = 7
}}
resource "aws_mskconnect_custom_plugin" "a" {{
  content_type = "ZIP"
  location {{
    s3 {{ file_key = "debezium.zip" }}
  }}
}}
resource "aws_mskconnect_connector" "a" {{
  connector_configuration = {{
    "connector.class" = "{POSTGRES}"
  }}
  kafka_cluster {{
    apache_kafka_cluster {{
      bootstrap_servers = "a"
      vpc {{
        subnets = ["a"]
      }}
    }}
  }}
}}
"""
RDS_OF_MYSQL = (
    RDS.replace(POSTGRES, MYSQL).replace('"postgres"', '"mysql"').replace("rds.logical_replication", "binlog_format")
)

STRIMZI = f"""apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: reader
subjects:
  - kind: ServiceAccount
    name: pipes-connect
---
kind: KafkaUser
metadata: {{name: pipes-user}}
spec:
  authorization:
    type: simple
    acls:
      - resource: {{type: topic, name: pipes., patternType: prefix}}
        operations: [Create, Write]
      - resource:
          type: topic
          name: history
          patternType: literal
        operation: All
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
metadata:
  name: pipes
  annotations:
    strimzi.io/use-connector-resources: "true"
spec:
  image: pipes:1
  bootstrapServers: kafka:9092
  config:
    group.id: a
    config.providers: secrets,env,file
    config.providers.secrets.class: io.strimzi.kafka.KubernetesSecretConfigProvider
    config.providers.env.class: org.apache.kafka.common.config.provider.EnvVarConfigProvider
    config.providers.file.class: org.apache.kafka.common.config.provider.FileConfigProvider
  template:
    connectContainer:
      env:
        - name: ORDERS_DB_PASSWORD
          value: a
      volumeMounts: [{{name: a, mountPath: /mnt/login}}]
---
kind: KafkaConnector
metadata:
  name: orders
  labels:
    strimzi.io/cluster: pipes
spec:
  class: {MYSQL}
  config:
    database.user: ${{secrets:shop/db:user}}
    database.password: ${{env:ORDERS_DB_PASSWORD}}
    driver.a: ${{file:/mnt/login/a.properties:b}}
    schema.history.internal.kafka.topic: pipes.history
"""
