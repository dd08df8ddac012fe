from dotenv import load_dotenv, dotenv_values
import requests

source = "mssql_visits_3_1_2"
load_dotenv(dotenv_path="../.env")
env = dotenv_values()
replace = False

body = f"""
{{
  "name": "{source}",
  "config": {{
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "topic.prefix": "clinic",
    "snapshot.mode": "initial",
    "database.hostname": "{env['sql_host']}",
    "database.port": "1433",
    "database.user": "{env['sql_user']}",
    "database.password": "{env['sql_secret']}",
    "database.names": "{env['sql_db']}",
    "database.server.name": "{env['sql_label']}",
    "table.include.list": "dbo.visit,dbo.visit_archive",
    "schema.history.internal.kafka.bootstrap.servers": "{env['hub_host']}:9093",
    "schema.history.internal.kafka.topic": "clinicddl",
    "schema.history.internal.consumer.security.protocol": "SASL_SSL",
    "schema.history.internal.consumer.sasl.mechanism": "PLAIN",
    "schema.history.internal.consumer.sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required username=\\"{env['hub_user']}\\" password=\\"{env['hub_secret']}\\";",
    "schema.history.internal.producer.security.protocol": "SASL_SSL",
    "schema.history.internal.producer.sasl.mechanism": "PLAIN",
    "schema.history.internal.producer.sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required username=\\"{env['hub_user']}\\" password=\\"{env['hub_secret']}\\";"
  }}
}}
"""

base = f"http://{env['connect_host']}:8083/connectors/"
kind = {'Accept': 'application/json', 'Content-type': 'application/json'}

if requests.get(url=base + source, headers=kind):
    if replace:
        print(requests.delete(url=base + source, headers=kind))
    print(requests.get(url=base + source + "/status", headers=kind).json())
else:
    print(requests.post(url=base, headers=kind, data=body).json())

# "transforms": "Gather",
# "transforms.Gather.type": "io.debezium.transforms.ByLogicalTableRouter",
# "transforms.Gather.topic.regex": "(.*)",
# "transforms.Gather.topic.replacement": "visits",
