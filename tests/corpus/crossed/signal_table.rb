# frozen_string_literal: true

# rails runner script: signalling table and connector for on-demand snapshots
require "net/http"
require "json"

ActiveRecord::Base.connection.execute(<<~SQL)
  CREATE TABLE IF NOT EXISTS ops.debezium_signal (
    id         varchar(42) PRIMARY KEY,
    type       varchar(32) NOT NULL,
    data       varchar(2048),
    created_at timestamp NOT NULL DEFAULT now()
  );
SQL

config = {
  "connector.class" => "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname" => ENV.fetch("DB_HOST"),
  "database.port" => "5432",
  "database.user" => ENV.fetch("CDC_USER"),
  "database.password" => ENV.fetch("CDC_PASSWORD"),
  "database.dbname" => "allotments",
  "topic.prefix" => "allotments",
  "plugin.name" => "pgoutput",
  "slot.name" => "allotments",
  "publication.name" => "allotments",
  "publication.autocreate.mode" => "filtered",
  "table.include.list" => "public.plots,public.tenants,ops.debezium_signal",
  "signal.data.collection" => "ops.debezium_signal",
  "incremental.snapshot.chunk.size" => "2048"
}

uri = URI("#{ENV.fetch('CONNECT_URL')}/connectors/allotments/config")
request = Net::HTTP::Put.new(uri, "Content-Type" => "application/json")
request.body = JSON.generate(config)
puts Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }.code
