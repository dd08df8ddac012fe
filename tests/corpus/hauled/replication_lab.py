"""Lab: a primary, a standby and a Debezium Server that posts the changes to an echo service."""
import os

import pulumi
import pulumi_docker as docker

HERE = os.path.abspath(os.path.dirname(__file__))
PG_ENV = ["POSTGRES_USER=lab", "POSTGRES_PASSWORD=lab", "POSTGRES_DB=lab", "PGDATA=/srv/pg/data"]

net = docker.Network("lab-net", name="lab-net", driver="bridge")


def on_net():
    return [docker.ContainerNetworksAdvancedArgs(name=net.name)]


primary = docker.Container(
    "pg-primary",
    name="pg-primary",
    image="postgres:18.1",
    command=["postgres", "-c", "wal_level=logical"],
    envs=PG_ENV,
    networks_advanced=on_net(),
    ports=[docker.ContainerPortArgs(internal=5432, external=15432)],
    volumes=[
        docker.ContainerVolumeArgs(
            host_path=f"{HERE}/primary.sh",
            container_path="/docker-entrypoint-initdb.d/primary.sh",
            read_only=True,
        )
    ],
)

standby = docker.Container(
    "pg-standby",
    name="pg-standby",
    image="postgres:18.1",
    command=[
        "bash", "-c",
        "until pg_isready -h pg-primary -U lab; do sleep 1; done; "
        "PGPASSWORD=repl pg_basebackup -h pg-primary -U repl -D /srv/pg/data -Fp -Xs -R; "
        "exec docker-entrypoint.sh postgres -c wal_level=logical",
    ],
    envs=PG_ENV,
    networks_advanced=on_net(),
    opts=pulumi.ResourceOptions(depends_on=[primary]),
)

echo = docker.Container(
    "echo",
    name="echo",
    image="mendhak/http-https-echo:33",
    networks_advanced=on_net(),
    ports=[docker.ContainerPortArgs(internal=8080, external=8081)],
)

# no filter: the lab wants to see every table
server = docker.Container(
    "cdc",
    name="cdc",
    image="quay.io/debezium/server:latest",
    envs=[
        "DEBEZIUM_SINK_TYPE=http",
        "DEBEZIUM_SINK_HTTP_URL=http://echo:8080/",
        "DEBEZIUM_FORMAT_KEY=json",
        "DEBEZIUM_FORMAT_VALUE=json",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS=io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME=pg-primary",
        "DEBEZIUM_SOURCE_DATABASE_PORT=5432",
        "DEBEZIUM_SOURCE_DATABASE_USER=lab",
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD=lab",
        "DEBEZIUM_SOURCE_DATABASE_DBNAME=lab",
        "DEBEZIUM_SOURCE_DATABASE_SERVER_NAME=lab-primary",
        "DEBEZIUM_SOURCE_TOPIC_PREFIX=lab-primary",
        "DEBEZIUM_SOURCE_PLUGIN_NAME=pgoutput",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME=/debezium/data/lab.dat",
    ],
    networks_advanced=on_net(),
    opts=pulumi.ResourceOptions(depends_on=[primary, echo]),
)

pulumi.export("echo", echo.name)
