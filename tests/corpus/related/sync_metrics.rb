# frozen_string_literal: true

require "json"
require "net/http"

CONNECT = URI(ENV.fetch("CONNECT_URL", "http://localhost:8083"))

SOURCE = {
  "connector.class" => "io.debezium.connector.mongodb.MongoDbConnector",
  "tasks.max" => "1",
  "mongodb.hosts" => "rs0/mongo-a:27017,mongo-b:27017",
  "mongodb.name" => "gauges",
  "mongodb.user" => ENV.fetch("MONGO_USER"),
  "mongodb.password" => ENV.fetch("MONGO_PASSWORD"),
  "mongodb.authsource" => "admin",
  "topic.prefix" => "gauges",
  "database.include.list" => "gauges",
  "collection.include.list" => "gauges.sample,gauges.station",
  "capture.mode" => "change_streams_update_full",
  "key.converter" => "org.apache.kafka.connect.json.JsonConverter",
  "value.converter" => "org.apache.kafka.connect.json.JsonConverter"
}.freeze

def put(name, config)
  req = Net::HTTP::Put.new("/connectors/#{name}/config", "Content-Type" => "application/json")
  req.body = JSON.generate(config)
  res = Net::HTTP.start(CONNECT.host, CONNECT.port) { |http| http.request(req) }
  abort "#{name}: #{res.code} #{res.body}" unless res.is_a?(Net::HTTPSuccess)
  puts "#{name}: #{res.code}"
end

put("gauges-source", SOURCE)
