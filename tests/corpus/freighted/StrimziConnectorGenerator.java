package org.example.pipelines.generate;

import java.util.Map;

/** Writes the KafkaConnector resource of a pipeline; the result goes to the Git repository of the cluster as it is. */
public final class StrimziConnectorGenerator implements Generator {

    @Override
    public String id() {
        return "strimzi";
    }

    @Override
    public String describe() {
        return "KafkaConnector resources for Strimzi";
    }

    @Override
    @SuppressWarnings("unchecked")
    public String generate(Map<String, Object> settings) {
        StringBuilder out = new StringBuilder();
        out.append("apiVersion: kafka.strimzi.io/v1beta2\n");
        out.append("kind: KafkaConnector\n");
        out.append("metadata:\n");

        Map<String, Object> pipeline = (Map<String, Object>) settings.get("pipeline");
        if (pipeline != null && pipeline.get("name") != null) {
            out.append("  name: ").append(pipeline.get("name")).append("\n");
        }

        out.append("  labels:\n");
        out.append("    strimzi.io/cluster: pipelines-connect\n");
        out.append("spec:\n");
        out.append("  class: io.debezium.connector.mysql.MySqlConnector\n");
        out.append("  tasksMax: 1\n");
        out.append("  config:\n");
        out.append("    database.hostname: ${PIPE_DB_HOST}\n");
        out.append("    database.port: \"${PIPE_DB_PORT:3306}\"\n");
        out.append("    database.user: \"${PIPE_DB_USER}\"\n");
        out.append("    database.password: \"${PIPE_DB_PASSWORD}\"\n");
        out.append("    topic.prefix: pipelines\n");
        out.append("    snapshot.mode: initial\n");
        out.append("    transforms: unwrap,clean\n");
        out.append("    transforms.unwrap.type: io.debezium.transforms.ExtractNewRecordState\n");
        out.append("    transforms.clean.type: org.apache.kafka.connect.transforms.RegexRouter\n");
        out.append("    transforms.clean.regex: (.*)\n");
        out.append("    transforms.clean.replacement: $1-flat\n");
        return out.toString();
    }
}
