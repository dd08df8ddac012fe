(ns cdc-sandbox.outbox-e2e-test
  (:require [clojure.test :refer :all]
            [next.jdbc :as jdbc]
            [honey.sql :as sql]
            [cheshire.core :as json]
            [jackdaw.test.commands :as cmd]
            [jackdaw.serdes :as js]
            [jackdaw.test :as jdt]
            [jackdaw.test :refer [test-machine]])
  (:import (io.debezium.testing.testcontainers Connector$State ConnectorConfiguration DebeziumContainer)
           (org.postgresql.util PGobject)
           (org.testcontainers.containers KafkaContainer Network PostgreSQLContainer)
           (org.testcontainers.lifecycle Startable Startables)
           (org.testcontainers.utility DockerImageName)))

; https://debezium.io/documentation/reference/stable/integrations/testcontainers.html
; https://debezium.io/documentation/reference/stable/transformations/outbox-event-router.html

(def OUTBOX_CONNECTOR
  "parcel-outbox-connector")

(defn as-jsonb
  [x]
  (doto (PGobject.)
    (.setType "jsonb")
    (.setValue (json/encode x))))

(def net (Network/newNetwork))

(def kafka (-> (KafkaContainer.)
               (.withNetwork net)))

(def pg
  (-> (DockerImageName/parse "quay.io/debezium/postgres:15")
      (.asCompatibleSubstituteFor "postgres")
      (PostgreSQLContainer.)
      (.withNetwork net)
      (.withNetworkAliases (into-array String ["pg"]))))

(def connect
  (-> (DebeziumContainer. "quay.io/debezium/connect:2.4.1.Final")
      (.withNetwork net)
      (.withKafka kafka)))

(def containers
  (fn [f]
    (try
      (.get (Startables/deepStart [kafka pg connect]))
      (f)
      (finally
        (doseq [^Startable c [kafka pg connect]]
          (.stop c))))))

(use-fixtures :each containers)

(defn datasource
  []
  (jdbc/get-datasource
    {:jdbcUrl (.getJdbcUrl pg)
     :user (.getUsername pg)
     :password (.getPassword pg)}))

(defn create-table!
  [ds]
  (jdbc/execute!
    ds
    ["
CREATE TABLE outbox  (
  id UUID PRIMARY KEY,
  aggregatetype VARCHAR(255) NOT NULL,
  aggregateid VARCHAR(255) NOT NULL,
  type VARCHAR(255) NOT NULL,
  payload JSONB NOT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);"]))

(defn insert-event!
  [ds event]
  (let [event (update event :payload as-jsonb)]
    (->> {:insert-into [:outbox]
          :values [event]}
         (sql/format)
         (jdbc/execute! ds))))

(defn register-connector!
  []
  (let [config
        (-> (ConnectorConfiguration/forJdbcContainer pg)
            (.with "topic.prefix" "parcel")
            (.with "time.precision.mode" "connect")

            (.with "transforms" "outbox")
            (.with "transforms.outbox.type" "io.debezium.transforms.outbox.EventRouter")
            (.with "transforms.outbox.table.expand.json.payload" "true")

            (.with "transforms.outbox.table.fields.additional.placement" "type:header,created_at:header")

            ;; the real settings live in Terraform, these have to follow them by hand

            )]
    (.registerConnector connect
                        OUTBOX_CONNECTOR
                        config)))

(deftest row-becomes-message
  (let [ds (datasource)
        payload {:sku "Lamp"
                 :weight "12"}]
    (create-table! ds)
    (register-connector!)

    (.ensureConnectorState connect
                           OUTBOX_CONNECTOR
                           Connector$State/RUNNING)
    (.ensureConnectorTaskState connect
                               OUTBOX_CONNECTOR
                               0
                               Connector$State/RUNNING)

    (insert-event! ds {:id (random-uuid)
                       :aggregatetype "Parcel"
                       :aggregateid (str (random-uuid))
                       :type "ParcelCreated"
                       :payload payload})

    (with-open [machine (test-machine
                          (jdt/kafka-transport
                            {"bootstrap.servers" (.getBootstrapServers kafka)
                             "group.id" (str "e2e-" (random-uuid))
                             "auto.offset.reset" "earliest"}
                            {:out {:topic-name "outbox.event.Parcel"
                                   :key-serde (js/string-serde)
                                   :value-serde (js/string-serde)
                                   :partition-count 1
                                   :replication-factor 1}}))]

      (let [watch (cmd/watch
                    (fn [journal]
                      (first (get-in journal [:topics :out])))
                    {:timeout 10000})
            {:keys [results]} (jdt/run-test machine [watch])
            message (-> results first :result :info)]

        (is (= payload (json/decode (:value message) true)))))))
