package org.example.job

import com.dimafeng.testcontainers.{ForAllTestContainer, MultipleContainers}
import io.debezium.testing.testcontainers.ConnectorConfiguration
import java.sql.DriverManager
import org.example.wrapper.{ContainersWrapper, SparkWrapper}
import org.scalatest.{BeforeAndAfterAll, FlatSpec}

/** MySQL -> Debezium -> Kafka -> Spark -> PostgreSQL, all in containers. */
class StreamingJobIT extends FlatSpec with ForAllTestContainer with BeforeAndAfterAll with ContainersWrapper with SparkWrapper {

  override val container: MultipleContainers = MultipleContainers(kafkaContainer, postgresContainer, mysqlContainer)

  it must "copy the tickets" in {
    execute("insert into booth.tickets values (3, 'matinee')", "update booth.tickets set title = 'gala' where id = 2")
    val reader = KafkaReaderConfig("localhost:29092", "boothdb.booth.tickets")
    new StreamingJob(spark, reader, JdbcConfig(postgresContainer.jdbcUrl)).run()
    val rows = DriverManager
      .getConnection(postgresContainer.jdbcUrl, postgresContainer.username, postgresContainer.password)
      .createStatement()
      .executeQuery("select count(*) from public.tickets_copy")
    assert(rows.next() && rows.getInt(1) == 3)
  }

  override def beforeAll(): Unit = {
    super.beforeAll()
    debeziumContainer.start()
    execute("create table booth.tickets (id int not null primary key, title varchar(255))",
      "insert into booth.tickets values (1, 'premiere'), (2, 'late show')")

    val connector = ConnectorConfiguration.forJdbcContainer(mysqlContainer.container)
      .`with`("name", "booth")
      .`with`("connector.class", "io.debezium.connector.mysql.MySqlConnector")
      .`with`("database.hostname", mysqlContainer.networkAliases.head)
      .`with`("database.port", "3306")
      .`with`("database.user", "root")
      .`with`("database.password", "test")
      .`with`("database.server.id", "909")
      .`with`("database.server.name", "boothdb")
      .`with`("database.whitelist", "booth")
      .`with`("database.history.kafka.bootstrap.servers", s"${kafkaContainer.networkAliases.head}:9092")
      .`with`("database.history.kafka.topic", "ddl.booth")
    debeziumContainer.registerConnector("booth", connector)
    Thread.sleep(20000)
  }

  private def execute(statements: String*): Unit = {
    val connection = DriverManager.getConnection(mysqlContainer.jdbcUrl, mysqlContainer.username, mysqlContainer.password)
    statements.foreach(connection.createStatement().execute)
    connection.close()
  }
}
