package org.example.splitter.docs;

/** Writes SAGA.md of a generated project. */
final class SagaGuideGenerator {

    String generate() {
        StringBuilder md = new StringBuilder();
        md.append("# Sagas\n\n");
        md.append("Each service has a table `splitter_outbox`, which its `OutboxPoller` reads every second.\n\n");
        md.append("## Without a poller\n\n");
        md.append("For a high load let Debezium read the table and take the poller out:\n\n");

        md.append("```json\n");
        md.append("{\n");
        md.append("  \"name\": \"splitter-outbox\",\n");
        md.append("  \"config\": {\n");
        md.append("    \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",\n");
        md.append("    \"database.hostname\": \"localhost\",\n");
        md.append("    \"database.port\": \"5432\",\n");
        md.append("    \"database.user\": \"postgres\",\n");
        md.append("    \"database.password\": \"<your_password>\",\n");
        md.append("    \"database.dbname\": \"<service_db>\",\n");
        md.append("    \"plugin.name\": \"pgoutput\",\n");
        md.append("    \"table.include.list\": \"public.splitter_outbox\",\n");
        md.append("    \"transforms\": \"outbox\",\n");
        md.append("    \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",\n");
        md.append("    \"transforms.outbox.table.field.event.id\": \"id\",\n");
        md.append("    \"transforms.outbox.table.field.event.key\": \"saga_id\",\n");
        md.append("    \"transforms.outbox.table.field.event.payload\": \"body\",\n");
        md.append("    \"transforms.outbox.route.by.field\": \"event_name\",\n");
        md.append("    \"transforms.outbox.route.topic.replacement\": \"saga.steps\"\n");
        md.append("  }\n");
        md.append("}\n");
        md.append("```\n\n");

        md.append("1. **Deploy Kafka** and Kafka Connect with the plug-in.\n");
        md.append("2. **Register the connector** above.\n");
        md.append("3. **Add a consumer** of `saga.steps` to the orchestrator.\n");
        return md.toString();
    }
}
