(ns ledgerlog.service.capture.core
  (:require [debezium-embedded.core :as debezium]
            [duct.logger :refer [log]]
            [integrant.core :as ig])
  (:import (java.util.concurrent ExecutorService Executors TimeUnit)))

;; For the REPL and the tests; the system's config.edn overrides it.
(def default-config
  {:name "ledgerlog"
   :connector.class "io.debezium.connector.postgresql.PostgresConnector"
   :database.hostname "localhost"
   :database.port "5432"
   :database.user "postgres"
   :database.password "postgres"
   :database.dbname "ledger"
   :schema.include.list "journal"
   :topic.prefix "ledgerlog"
   :plugin.name "pgoutput"
   :slot.name "ledgerlog_repl"
   :offset.storage "org.apache.kafka.connect.storage.MemoryOffsetBackingStore"
   :offset.flush.interval.ms "0"
   :converter.schemas.enable "false"})

(defprotocol Capture
  (start! [this])
  (stop! [this]))

(defrecord Boundary [engine ^ExecutorService executor logger]
  Capture
  (start! [this]
    (.execute executor engine)
    (when logger (log logger :info ::started))
    this)
  (stop! [_]
    (.close engine)
    (.shutdown executor)
    (while (not (.awaitTermination executor 5 TimeUnit/SECONDS))
      (when logger (log logger :info ::still-closing)))))

(defmethod ig/init-key :ledgerlog.service/capture [_ {:keys [config consumer logger]}]
  (let [engine (debezium/create-engine {:config (merge default-config config)
                                        :consumer consumer})]
    (start! (->Boundary engine (Executors/newSingleThreadExecutor) logger))))

(defmethod ig/halt-key! :ledgerlog.service/capture [_ boundary]
  (stop! boundary))
