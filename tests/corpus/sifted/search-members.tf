# Feeds the search index of the members from their topic.
resource "aws_mskconnect_connector" "search_members" {
  name                 = "search-index-members"
  kafkaconnect_version = "2.6.2"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "name" : "search-members",
    "connection.url" : "${data.terraform_remote_state.search.outputs.endpoint}",
    "connection.username" : "${data.terraform_remote_state.params.outputs.search_user}",
    "connection.password" : "${data.terraform_remote_state.params.outputs.search_password}",
    "connector.class" : "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "type.name" : "_doc",
    "tasks.max" : "2",
    "topics" : "feed_members",
    "key.ignore" : "false",
    "transforms" : "keyOf, plainKey, noPrefix, hide",
    "transforms.keyOf.type" : "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.keyOf.fields" : "member_no",
    "transforms.plainKey.type" : "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.plainKey.field" : "member_no",
    "transforms.noPrefix.type" : "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.noPrefix.regex" : "feed_(.*)",
    "transforms.noPrefix.replacement" : "$1",
    "transforms.hide.type" : "org.apache.kafka.connect.transforms.ReplaceField$Value",
    "transforms.hide.blacklist" : "pin_hash",
    "value.converter" : "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable" : true
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = data.terraform_remote_state.kafka.outputs.bootstrap_iam
      vpc {
        security_groups = [data.terraform_remote_state.net.outputs.sg_connect]
        subnets         = data.aws_subnets.inner.ids
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "IAM"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }

  plugin {
    custom_plugin {
      arn      = data.aws_mskconnect_custom_plugin.es_sink.arn
      revision = data.aws_mskconnect_custom_plugin.es_sink.latest_revision
    }
  }

  service_execution_role_arn = data.aws_iam_role.connect.arn
}
