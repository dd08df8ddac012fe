(ns ledgerlab.connectors
  (:require [babashka.http-client :as http]
            [charred.api :as json]))

(defn- post! [connect-url body]
  (http/post (str connect-url "/connectors")
             {:headers {"Content-Type" "application/json"
                        "Accept" "application/json"}
              :body (json/write-json-str body)}))

(defn register-members!
  [{:keys [connector-name connect-url db-host db-port db-user db-password db-name topic-prefix]
    :or {connect-url "http://localhost:8083"
         db-host "pg"
         db-port 5432
         db-user "postgres"
         db-password "postgres"
         db-name "ledgerlab"
         topic-prefix "members"}}]
  (post! connect-url
         {:name connector-name
          :config {"connector.class" "io.debezium.connector.postgresql.PostgresConnector"
                   "tasks.max" "1"
                   "database.hostname" db-host
                   "database.port" (str db-port)
                   "database.user" db-user
                   "database.password" db-password
                   "database.dbname" db-name
                   "topic.prefix" topic-prefix
                   "schema.include.list" "public"
                   "table.include.list" "public.members"
                   "plugin.name" "pgoutput"
                   "key.converter" "org.apache.kafka.connect.json.JsonConverter"
                   "key.converter.schemas.enable" "false"
                   "value.converter" "org.apache.kafka.connect.json.JsonConverter"
                   "value.converter.schemas.enable" "false"}}))

(defn register-outbox!
  [{:keys [connector-name connect-url db-host db-port db-user db-password db-name topic-prefix]
    :or {connect-url "http://localhost:8083"
         db-host "pg"
         db-port 5432
         db-user "postgres"
         db-password "postgres"
         db-name "ledgerlab"
         topic-prefix "obx"}}]
  (post! connect-url
         {:name connector-name
          :config {"connector.class" "io.debezium.connector.postgresql.PostgresConnector"
                   "tasks.max" "1"
                   "database.hostname" db-host
                   "database.port" (str db-port)
                   "database.user" db-user
                   "database.password" db-password
                   "database.dbname" db-name
                   "topic.prefix" topic-prefix
                   "schema.include.list" "public"
                   "table.include.list" "public.outbox"
                   "plugin.name" "pgoutput"
                   "transforms" "outbox"
                   "transforms.outbox.type" "io.debezium.transforms.outbox.EventRouter"
                   "transforms.outbox.table.expand.json.payload" "true"
                   "key.converter" "io.confluent.connect.avro.AvroConverter"
                   "value.converter" "io.confluent.connect.avro.AvroConverter"
                   "key.converter.schema.registry.url" "http://registry:8081"
                   "value.converter.schema.registry.url" "http://registry:8081"}}))

(comment
  (register-members! {:connector-name "members-cdc"})
  (register-outbox! {:connector-name "outbox-cdc"}))
