"""Pulumi: a primary, and Debezium Server that posts its changes to an echo service."""
import os

import pulumi
import pulumi_docker as docker

network = docker.Network("ferry-net", name="ferry-net")

primary = docker.Container(
    "ferry-primary",
    name="ferry-primary",
    image="postgres:16",
    envs=["POSTGRES_USER=ferry", "POSTGRES_PASSWORD=password", "POSTGRES_DB=ferrydb"],
    command=["postgres", "-c", "wal_level=logical"],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
)

echo = docker.Container(
    "echo",
    name="echo",
    image="mendhak/http-https-echo:33",
    ports=[docker.ContainerPortArgs(internal=8080, external=8085)],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
)

relay = docker.Container(
    "ferry-relay",
    name="ferry-relay",
    image="quay.io/debezium/server:latest",
    envs=[
        "DEBEZIUM_SINK_TYPE=http",
        "DEBEZIUM_SINK_HTTP_URL=http://echo:8080/",
        "DEBEZIUM_FORMAT_VALUE=json",
        "DEBEZIUM_FORMAT_KEY=json",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS=io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME=ferry-primary",
        "DEBEZIUM_SOURCE_DATABASE_PORT=5432",
        "DEBEZIUM_SOURCE_DATABASE_USER=ferry",
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD=password",
        "DEBEZIUM_SOURCE_DATABASE_DBNAME=ferrydb",
        "DEBEZIUM_SOURCE_TOPIC_PREFIX=ferry-primary",
        "DEBEZIUM_SOURCE_DATABASE_SERVER_NAME=ferry-primary",
        "DEBEZIUM_SOURCE_PLUGIN_NAME=pgoutput",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME=/debezium/data/ferry.dat",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
    opts=pulumi.ResourceOptions(depends_on=[primary, echo]),
)
