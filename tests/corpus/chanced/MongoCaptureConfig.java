package example.sync.config;

import java.util.HashMap;
import java.util.Map;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class MongoCaptureConfig {

  @Value("${spring.data.mongodb.uri}") private String uri;
  @Value("${spring.data.mongodb.username:}") private String user;
  @Value("${spring.data.mongodb.password:}") private String password;
  @Value("${spring.datasource.url}") private String positionsUrl;
  @Value("${spring.datasource.username}") private String positionsUser;
  @Value("${spring.datasource.password}") private String positionsPassword;
  @Value("${capture.databases}") private String databases;
  @Value("${capture.collections}") private String collections;
  @Value("${spring.profiles.active}") private String profile;

  @Bean
  public io.debezium.config.Configuration mongoCapture() {
    Map<String, String> props = new HashMap<>();
    // shown in logs and metrics
    props.put("name", "sync-mongo");
    props.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
    // positions live in PostgreSQL, so that any instance can take over
    props.put("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore");
    props.put("offset.storage.jdbc.url", positionsUrl);
    props.put("offset.storage.jdbc.user", positionsUser);
    props.put("offset.storage.jdbc.password", positionsPassword);
    props.put("mongodb.connection.string", uri);
    props.put("topic.prefix", "sync-mongo-source");
    props.put("database.include.list", databases);
    props.put("collection.include.list", collections);
    props.put("errors.log.include.messages", "true");

    // plain on a laptop and in tests
    if (!"local".equals(profile) && !"test".equals(profile)) {
      props.put("mongodb.user", user);
      props.put("mongodb.password", password);
      props.put("mongodb.ssl.enabled", "true");
    }
    return io.debezium.config.Configuration.from(props);
  }
}
