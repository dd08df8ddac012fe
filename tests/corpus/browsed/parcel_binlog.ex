defmodule Conveyor.ParcelBinlog do
  @moduledoc """
  Tails the MySQL binlog of the parcels service into Kafka and lands
  the rows in the lakehouse.
  """
  @rest "http://connect.stream:8083"

  def run do
    source = %{
      "name" => "parcels-binlog",
      "config" => %{
        "connector.class" => "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname" => "mysql.parcels.svc",
        "database.port" => "3306",
        "database.user" => "cdc-reader",
        "database.password" => System.get_env("CDC_READER_PW"),
        "database.server.id" => "205511",
        "database.include.list" => "parcels",
        "table.include.list" => "parcels.shipment_fct",
        "snapshot.mode" => "initial",
        "database.history.kafka.topic" => "ddl.parcels",
        "value.converter" => "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url" => "http://registry.stream:8081"
      }
    }

    {:ok, _} = ConnectRest.create(@rest, source)

    sink = %{
      "name" => "parcels-lake",
      "config" => %{
        "connector.class" => "org.apache.iceberg.connect.IcebergSinkConnector",
        "topics" => "parcels.shipment_fct",
        "iceberg.tables" => "lake.shipment_fct",
        "iceberg.control.commit.interval-ms" => "60000"
      }
    }

    {:ok, _} = ConnectRest.create(@rest, sink)
    poll("parcels-lake")
  end

  defp poll(name) do
    %{"tasks" => tasks} = ConnectRest.status(@rest, name)
    if Enum.any?(tasks, &(&1["state"] == "FAILED")), do: raise("#{name} failed")
    Process.sleep(30_000)
    poll(name)
  end
end
