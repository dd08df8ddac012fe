(ns stockroom.cdc
  (:import [io.debezium.config Configuration]
           [io.debezium.embedded EmbeddedEngine]))

;; TODO
;; 1/ durability of the offsets?
;; 2/ how to scale this out?

(defn ->config [m]
  (Configuration/from m))

;; settings of the embedded engine and of the SQL Server connector
(def engine-config
  {; engine
   "name" "stockroom-engine"
   "connector.class" "io.debezium.connector.sqlserver.SqlServerConnect" ; the connector's Java class
   "offset.storage" "org.apache.kafka.connect.storage.FileOffsetBackingStore"
   "offset.storage.file.filename" "stockroom-offsets.dat"
   "offset.flush.interval.ms" "0"
   ; connector
   "database.hostname" "Localhost"
   "database.port" "1433"
   "database.user" "debezium"
   "database.password" ""
   "database.names" "StockDB"
   "database.instance" "STOCK01"
   "topic.prefix" "stock-source-"
   "schema.history.interval" "io.debezium.storage.file.history.FileSchemaHistory"
   "schema.history.interval.file.filename" "data/schemahistory.dat"
   "table.include.list" "articles"
   "debezium.source.decimal.handling.mode" "string"
   "quarkus.log.level" "DEBUG"})

(defn handle [event]
  (println (.key event) (.value event)))

(defn -main [& _]
  (let [engine (EmbeddedEngine/create)]
    (.using engine (->config engine-config))))
