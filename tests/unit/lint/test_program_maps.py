"""Which options a program gives to one connector: in a map, and what it assigns to it later."""

import json

import pytest

from outbox_kit.errors import NoConnector
from outbox_kit.lint.formats import documents

POSTGRES = "io.debezium.connector.postgresql.PostgresConnector"
MYSQL = "io.debezium.connector.mysql.MySqlConnector"
JAVASCRIPT = f"""function make() {{
  const config = {{ "connector.class": "{POSTGRES}", "tasks.max": "1" }};
  CHANGE
}}"""
PYTHON = (
    f'def make():\n    config = {{"connector.class": "{POSTGRES}", "tasks.max": "1"}}\n    CHANGE\n    return config\n'
)
GO = f"""package a
const prefix = "topic."
func make() {{
\tconfig := map[string]string{{"connector.class": "{POSTGRES}", "tasks.max": "1"}}
\tCHANGE
}}"""


@pytest.mark.parametrize(
    ("name", "text", "change", "value"),
    [
        ("a.js", JAVASCRIPT, 'config["topic.prefix"] = "shop";', "shop"),
        ("a.js", JAVASCRIPT, 'if (a) { config["topic.prefix"] = "shop"; }', "shop"),
        ("a.js", JAVASCRIPT, '} function other() { config["topic.prefix"] = "shop";', None),
        ("a.js", JAVASCRIPT, 'headers["topic.prefix"] = "shop";', None),
        ("a.py", PYTHON, 'config["topic.prefix"] = "shop"', "shop"),
        ("a.py", PYTHON, 'config["topic.prefix"] = a + "shop"', "$(a)shop"),
        ("a.py", PYTHON, 'pass\n\ndef other(config):\n    config["topic.prefix"] = "shop"', None),
        ("a.go", GO, 'config["topic.prefix"] = "shop"', "shop"),
        ("a.go", GO, 'config[prefix + "prefix"] = "shop"', "shop"),
    ],
)
def test_what_is_assigned_to_a_map_later_belongs_to_it(name: str, text: str, change: str, value: str | None) -> None:
    (document,) = documents(text.replace("CHANGE", change), name)
    assert document.config.get("topic.prefix") == value


def test_a_value_that_is_assigned_again_is_not_known() -> None:
    (document,) = documents(PYTHON.replace("CHANGE", 'config["tasks.max"] = "2"'), "a.py")
    assert document.config["tasks.max"] == "$(tasks.max)"
    assert not document.twice


SWITCH = f"""class A {{
  void run() {{
    Properties props = new Properties();
    props.setProperty("name", "engine");
    switch (kind) {{
      case a:
        props.setProperty("connector.class", "{POSTGRES}");
        props.setProperty("plugin.name", "pgoutput");
        break;
      default:
        props.setProperty("connector.class", "{MYSQL}");
        props.setProperty("database.server.id", "1");
    }}
  }}
}}"""


def test_an_object_with_a_class_in_each_branch_is_a_connector_for_each() -> None:
    configs = [document.config for document in documents(SWITCH, "A.java")]
    assert configs == [
        {"name": "engine", "connector.class": POSTGRES, "plugin.name": "pgoutput"},
        {"name": "engine", "connector.class": MYSQL, "database.server.id": "1"},
    ]


@pytest.mark.parametrize(
    ("begin", "partial"),
    [("new Properties()", False), ("super.properties(context)", True)],
)
def test_a_base_class_may_have_set_more(begin: str, *, partial: bool) -> None:
    text = f'class A {{ void run() {{ Properties p = {begin}; p.put("connector.class", "a.B"); p.put("x", "y"); }} }}'
    (document,) = documents(text, "A.java")
    assert document.partial is partial


@pytest.mark.parametrize("word", ["com.hazelcast.jet.cdc.DebeziumCdcSources", "org.apache.flink.A"])
def test_a_framework_adds_what_it_keeps_itself(word: str) -> None:
    text = f'import {word};\nclass A {{ Map<String, String> c = Map.of("connector.class", "a.B"); }}'
    assert documents(text, "A.java")[0].partial


def test_the_beginning_of_names_is_no_option() -> None:
    with pytest.raises(NoConnector):
        documents('class A { void a() { c.put(n.replace("debezium.source.", PREFIX), "x"); } }', "A.java")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = f"""{{"connector.class": "a.B", "x": "{e[\'n\']} \\\\"q\\\\""}}"""', '$(e_n) "q"'),
        ('a = """{"connector.class": "a.B", """ + f\'"x": "{n}"\' """}"""', "$(n)"),
        ('a = r"""{"connector.class": "a.B", "x": "\\\\d"}"""', "\\d"),
        ('a = """{"connector.class": "a.B", "x": "\\\\\\\\d"}"""', "\\d"),
    ],
)
def test_a_text_of_python_with_escapes_and_values(text: str, value: str) -> None:
    (document,) = documents(f"import x\n{text}\n", "a.py")
    assert document.config["x"] == value


def test_a_setting_in_the_value_of_an_option_is_none_of_debezium_server() -> None:
    text = f'$c = @{{ "connector.class" = "{POSTGRES}"; "a.b" = "debezium.source.name=shop" }}'
    (document,) = documents(text, "a.ps1")
    assert document.kind == "code"


SPRING = (
    '@SpringBootTest(properties = {"debezium.properties.connector.class=a.B", "debezium.properties.x=y", "app.z=1"})'
)


def test_the_properties_of_a_test_of_spring() -> None:
    (document,) = documents(f"{SPRING}\nclass A {{}}", "A.java")
    assert document.config == {"connector.class": "a.B", "x": "y"}


@pytest.mark.parametrize(
    ("own", "partial"),
    [("", False), ("\n  topic-prefix: shop", True)],
)
def test_the_names_of_a_map_of_spring(own: str, *, partial: bool) -> None:
    text = f"debezium:\n  connector:\n    class: {POSTGRES}\n  properties:\n    plugin.name: pgoutput{own}\n"
    (document,) = documents(text, "application.yml")
    assert document.config == {"connector.class": POSTGRES, "plugin.name": "pgoutput"}
    assert document.partial is partial


def test_a_source_of_debezium_s_platform_has_its_connection_elsewhere() -> None:
    text = json.dumps({"name": "a", "type": POSTGRES, "config": {"topic.prefix": "shop"}})
    (document,) = documents(text, "source.json")
    assert (document.name, document.partial) == ("a", True)
    assert document.config == {"connector.class": POSTGRES, "topic.prefix": "shop"}


def test_the_section_of_a_file_of_settings_is_no_option() -> None:
    (document,) = documents("[cdc]\nname = a\nconnector.class = a.B\n", "a.config")
    assert document.config["connector.class"] == "a.B"


@pytest.mark.parametrize("parameter", ["databaseHostname", "databaseHostName", "databasehostname"])
def test_camel_ignores_the_case_of_a_parameter(parameter: str) -> None:
    (document,) = documents(f'class A {{ void a() {{ from("debezium-mysql:a?{parameter}=db"); }} }}', "A.java")
    assert document.config["database.hostname"] == "db"


def test_options_below_names_of_an_application() -> None:
    text = "app.cdc.config.connector.class=a.B\napp.cdc.config.topic.prefix=shop\nserver.port=1\n"
    (document,) = documents(text, "application.properties")
    assert document.config["topic.prefix"] == "shop"


POWERSHELL = f"""docker-compose up
$body = @{{
    "name" = "orders"
    "config" = @{{ "connector.class" = "{POSTGRES}" }}
}} | ConvertTo-Json
"""
STATEMENTS = f"docker exec -it ksqldb ksql\nCREATE SOURCE CONNECTOR a WITH ('connector.class' = '{POSTGRES}');\n"
INTERPRETED = f"python3 - <<'PY'\nimport json\nconfig = {{'connector.class': '{POSTGRES}'}}\nPY\n"


@pytest.mark.parametrize("text", [POWERSHELL, STATEMENTS, INTERPRETED])
def test_a_script_of_another_language_than_its_suffix_says(text: str) -> None:
    (document,) = documents(text, "a.sh")
    assert document.config["connector.class"] == POSTGRES


def test_a_class_of_any_product_that_a_program_imports() -> None:
    text = 'import org.acme.AcmeSinkConnector;\nclass A {{ Object c = Map.of("connector.class", {}.class.getName()); }}'
    (document,) = documents(text.format("AcmeSinkConnector"), "A.java")
    assert document.config["connector.class"] == "org.acme.AcmeSinkConnector"


COMPOSE = f"""services:
  cdc:
    image: debezium/server:2.7
    volumes:
      - ./settings:{{target}}
    environment:
      DEBEZIUM_SOURCE_CONNECTOR_CLASS: {POSTGRES}
      DEBEZIUM_SINK_TYPE: redis
"""


@pytest.mark.parametrize(
    ("target", "supplemented"),
    [
        ("/debezium/conf", True),
        ("/debezium/config:ro", True),
        ("/debezium/conf/application.properties", True),
        ("/debezium/data", False),
        ("/debezium/confidential", False),
    ],
)
def test_a_container_gets_settings_from_a_folder(target: str, *, supplemented: bool) -> None:
    (document,) = documents(COMPOSE.format(target=target), "compose.yml")
    assert document.supplemented is supplemented


def test_a_template_puts_in_names_of_options() -> None:
    config = "    {{- range $key, $value := .Values.config }}\n    {{ $key }}: {{ $value | quote }}\n    {{- end }}\n"
    text = f"kind: KafkaConnector\nspec:\n  class: {POSTGRES}\n  config:\n    topic.prefix: shop\n{config}"
    (document,) = documents(text, "connector.yaml")
    assert document.partial
