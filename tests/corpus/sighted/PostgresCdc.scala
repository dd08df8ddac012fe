package com.example.members.cdc

import com.example.members.config.CdcConfig
import com.example.members.repo.MemberEventRepo
import io.debezium.config.Configuration
import zio.{Chunk, ZIO, ZLayer}

object PostgresCdc {

  // https://debezium.io/documentation/reference/1.8/development/engine.html
  def engineConfig(cdc: CdcConfig): Configuration = {
    val pool    = cdc.connection.pool
    val tables  = List("member_events").map(t => s"public.$t").mkString(",")
    val offsets = s"${cdc.stateDir}/${pool.database}.offsets"
    val history = s"${cdc.stateDir}/${pool.database}.history"
    Configuration.create
      .`with`("name", "member-outbox")
      .`with`("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
      .`with`("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
      .`with`("offset.storage.file.filename", offsets)
      .`with`("offset.flush.interval.ms", "4000")
      .`with`("plugin.name", "pgoutput")
      .`with`("slot.name", s"${pool.database}_members")
      .`with`("database.hostname", pool.host)
      .`with`("database.port", pool.port)
      .`with`("database.user", pool.username)
      .`with`("database.password", pool.password)
      .`with`("database.dbname", pool.database)
      .`with`("table.include.list", tables)
      .`with`("database.server.id", "7")
      .`with`("database.server.name", "membersdb")
      .`with`("database.history", "io.debezium.relational.history.FileDatabaseHistory")
      .`with`("database.history.file.filename", history)
      .build
  }

  type Handler[R] = Chunk[Either[Throwable, MemberEventRepo.Event]] => ZIO[R, Throwable, Unit]

  def live[R](handler: Handler[R]): ZLayer[CdcConfig with R, Throwable, CdcEngine] =
    ZLayer.scoped {
      for {
        cdc    <- ZIO.service[CdcConfig]
        engine <- CdcEngine.scoped(engineConfig(cdc))(events => handler(events.map(MemberEventRepo.decode)))
      } yield engine
    }
}
