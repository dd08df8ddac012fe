(ns parcel.capture-test
  (:require
   [clojure.test :refer [deftest is]]
   [parcel.capture :as capture]))

;; Nothing is kept between two tests, so the offsets stay in memory.
(defn- postgres-config []
  {:name                     "parcel"
   :connector.class          "io.debezium.connector.postgresql.PostgresConnector"
   :database.hostname        "localhost"
   :database.port            "5432"
   :database.user            "postgres"
   :database.password        "postgres"
   :database.dbname          "parcel"
   :schema.include.list      "depot"
   :topic.prefix             "t"
   :plugin.name              "pgoutput"
   :offset.storage           "org.apache.kafka.connect.storage.MemoryOffsetBackingStore"
   :offset.flush.interval.ms "0"
   :converter.schemas.enable "false"})

(deftest an-engine-needs-an-offset-store
  (is (= :anomaly/incorrect
         (:anomaly/category
           (capture/engine {::capture/config   {:name "parcel"}
                            ::capture/consumer (constantly nil)})))))

(deftest an-engine-needs-a-consumer
  (is (= :anomaly/incorrect
         (:anomaly/category
           (capture/engine {::capture/config {:name           "parcel"
                                              :offset.storage "some.Store"}})))))

(deftest the-handle-can-be-closed-but-not-run
  (let [handle (capture/engine {::capture/config   (postgres-config)
                                ::capture/consumer (constantly nil)})]
    (is (instance? java.io.Closeable handle))
    (is (not (instance? Runnable handle)))))

(deftest ^:integration rows-arrive-in-order
  (let [seen   (atom [])
        handle (capture/engine {::capture/config   (postgres-config)
                                ::capture/consumer #(swap! seen conj (:value %))})]
    (capture/start handle)
    (capture/await-polling handle 10000)
    (capture/insert! "depot.boxes" [{:id 1} {:id 2} {:id 3}])
    (capture/await-count seen 3 10000)
    (is (= [1 2 3] (map #(get-in % [:after :id]) @seen)))
    (.close handle)))
