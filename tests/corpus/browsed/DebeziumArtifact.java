package org.example.userdata.cdc;

import java.net.URI;
import org.example.userdata.settings.Stage;

/** Makes the body for Kafka Connect out of the URI of a customer's database. */
public class DebeziumArtifact {

  private final Stage stage;

  public DebeziumArtifact(Stage stage) {
    this.stage = stage;
  }

  public String body(URI uri, String environmentId) {
    String[] login = uri.getUserInfo().split(":");
    String database = uri.getPath().substring(1);

    return String.format(
      "{ \"name\": \"%s\", \"config\": { \"connector.class\": \"io.debezium.connector.mysql.MySqlConnector\", \"tasks.max\": \"1\", \"database.hostname\": \"%s\", \"database.port\": \"%s\", \"database.user\": \"%s\", \"database.password\": \"%s\", \"database.server.id\": \"190023\", \"database.server.name\": \"%s\", \"database.include.list\": \"%s\", \"database.history.kafka.bootstrap.servers\": \"%s\", \"database.history.kafka.topic\": \"ddl.%s\" } }",
      environmentId + "-cdc",
      uri.getHost(),
      uri.getPort(),
      login[0],
      login[1],
      environmentId,
      database,
      stage.kafka().bootstrapServers(),
      database
    );
  }
}
