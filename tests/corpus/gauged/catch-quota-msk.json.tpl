{
    "connectorConfiguration": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "mongodb.password": "${quota_db_password}",
        "connect.max.attempts": "3",
        "tasks.max": "${task_count}",
        "mongodb.user": "${quota_db_user}",
        "mongodb.name": "fangquote",
        "mongodb.hosts": "10.40.7.18:27017",
        "database.include.list": "${db_list}",
        "collection.include.list" : "${coll_list}"
    },
    "connectorName": "${connector_label}",
    "kafkaCluster": {
        "apacheKafkaCluster": {
            "bootstrapServers": "${brokers}",
            "vpc": {
                "subnets": ${subnets},
                "securityGroups": ${sec_groups}
            }
        }
    },
    "capacity": {
        "autoScaling": {
            "maxWorkerCount": ${workers_max},
            "mcuCount": 1,
            "minWorkerCount": ${workers_min},
            "scaleInPolicy": { "cpuUtilizationPercentage": 20 },
            "scaleOutPolicy": { "cpuUtilizationPercentage": 80 }
        }
    },
    "kafkaConnectVersion": "2.7.1",
    "serviceExecutionRoleArn": "${execution_role}",
    "plugins": [
        { "customPlugin": { "customPluginArn": "${plugin_arn}", "revision": 1 } }
    ],
    "kafkaClusterEncryptionInTransit": {"encryptionType": "PLAINTEXT"},
    "kafkaClusterClientAuthentication": {"authenticationType": "NONE"}
}
