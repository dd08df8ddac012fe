package org.example.triggers.source

import java.util.Properties
import java.util.concurrent.ExecutorService

import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json

object EngineUtils {

  def start(source: Source, pool: ExecutorService, sink: String => Unit): DebeziumEngine[_] = {
    val props = source.kind match {
      case "mysql"     => mysqlConfig(source)
      case "postgres"  => postgresConfig(source)
      case "sqlserver" => sqlServerConfig(source)
      case other       => throw new IllegalArgumentException(other)
    }
    val engine = DebeziumEngine.create(classOf[Json]).using(props)
      .notifying(record => Option(record.value()).foreach(sink))
      .build()
    pool.submit(engine)
    engine
  }

  private def common(source: Source): Properties = {
    val props = new Properties()
    props.setProperty("name", nameOf(source))
    props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
    props.setProperty("offset.storage.file.filename", s"./offsets-${nameOf(source)}.dat")
    props.setProperty("offset.flush.interval.ms", "60000")
    props.setProperty("converter.schemas.enable", "false")
    props.setProperty("database.hostname", source.config.getOrElse("host", "localhost"))
    props.setProperty("database.server.name", s"${nameOf(source)}_connector")
    props
  }

  def mysqlConfig(source: Source): Properties = {
    val props = common(source)
    props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector")
    props.setProperty("database.port", source.config.getOrElse("port", "3306"))
    props.setProperty("database.user", source.config.getOrElse("user", "root"))
    props.setProperty("database.password", source.config.getOrElse("password", "root"))
    props.setProperty("database.include.list", source.config.getOrElse("db", "test"))
    props.setProperty("database.ssl.mode", source.config.getOrElse("sslMode", "disabled"))
    props.setProperty("database.history", "io.debezium.relational.history.FileDatabaseHistory")
    props.setProperty("database.history.file.filename", s"./history-${nameOf(source)}.dat")
    props
  }

  def sqlServerConfig(source: Source): Properties = {
    val props = common(source)
    props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
    props.setProperty("database.port", source.config.getOrElse("port", "1433"))
    props.setProperty("database.user", source.config.getOrElse("user", "sa"))
    props.setProperty("database.password", source.config.getOrElse("password", "password"))
    props.setProperty("database.dbname", source.config.getOrElse("db", "test"))
    props
  }

  def postgresConfig(source: Source): Properties = {
    val props = common(source)
    props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
    props.setProperty("plugin.name", "pgoutput")
    props.setProperty("slot.name", nameOf(source))
    props.setProperty("publication.name", nameOf(source))
    props.setProperty("database.port", source.config.getOrElse("port", "5432"))
    props.setProperty("database.user", source.config.getOrElse("user", "postgres"))
    props.setProperty("database.password", source.config.getOrElse("password", "postgres"))
    props.setProperty("database.dbname", source.config.getOrElse("db", "postgres"))
    props.setProperty("schema.include.list", source.config.getOrElse("schema", "public"))
    props.setProperty("database.sslmode", source.config.getOrElse("sslMode", "disable"))
    props
  }

  private def nameOf(source: Source): String = s"${source.project}_${source.alias}".toLowerCase
}
