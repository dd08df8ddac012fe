"""What the languages of programs, images, templates and pages make of a text with a connector."""

import json

import pytest

from outbox_kit.errors import NoConnector
from outbox_kit.lint.formats import documents
from outbox_kit.lint.placeholders import is_open
from outbox_kit.lint.stated import stated_release
from outbox_kit.versions import Version

SUFFIXED = "org.apache.kafka.connect.transforms.Cast$Value"
PROGRAMS = {
    "A.java": 'class A {{ Map<String, String> c = Map.of("connector.class", "a.B", "transforms.a.type", "{}"); }}',
    "a.py": 'def make():\n    return {{"connector.class": "a.B", "transforms.a.type": "{}"}}',
    "a.go": 'package a\nvar c = map[string]string{{"connector.class": "a.B", "transforms.a.type": "{}"}}',
    "a.ts": 'const c = {{"connector.class": "a.B", "transforms.a.type": "{}"}};',
    "A.cs": 'var c = new Dictionary<string, string> {{["connector.class"] = "a.B", ["transforms.a.type"] = "{}"}};',
    "a.rb": 'c = {{ "connector.class" => "a.B", "transforms.a.type" => "{}" }}',
    "a.php": '<?php\n$c = ["connector.class" => "a.B", "transforms.a.type" => "{}"];',
    "A.kt": 'fun make() = mapOf("connector.class" to "a.B", "transforms.a.type" to "{}")',
    "a.groovy": 'def c = ["connector.class": "a.B", "transforms.a.type": "{}"]',
}
REPLACE = ("a.php", "A.kt", "a.groovy")
"""Languages in whose double quotes `$name` is a variable."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_end_of_a_class_is_a_variable_where_the_language_says_so(name: str) -> None:
    (document,) = documents(PROGRAMS[name].format(SUFFIXED), name)
    shown = SUFFIXED.replace("$Value", "$(Value)") if name in REPLACE else SUFFIXED
    assert document.config["transforms.a.type"] == shown


OPTIONS = {
    "connector.class": "a.B",
    "topic.prefix": "shop",
    "transforms.o.route.topic.replacement": "a.${routedByValue}",
}
JSON_BODY = json.dumps({"name": "a", "config": OPTIONS})
SERVER_LINES = "debezium.source.connector.class=a.B\ndebezium.source.topic.prefix={}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", f'import x\nA = """\\\n{JSON_BODY}"""\n'),
        ("a.py", f'import x\nA = """{JSON_BODY.replace("{", "{{").replace("}", "}}")}"""\nx.post(A.format())\n'),
        ("a.py", f'import x\nA = f"""{JSON_BODY.replace("{", "{{").replace("}", "}}")}"""\n'),
        ("a.ts", f"const a = `# a \\` sign\n{JSON_BODY.replace('$', chr(92) + '$')}`;\n"),
        ("a.go", f"package a\nvar a = `{JSON_BODY}`\n"),
        ("a.mk", f'define BODY\n{JSON_BODY.replace("$", "$$")}\nendef\n\nall:\n\tcurl -d "$$BODY" c\n'),
        (
            "a.tftpl",
            "%{ for k, v in {\n" + "".join(f'  "{k}" = "{v.replace("$", "$$")}"\n' for k, v in OPTIONS.items()),
        ),
        ("README.md", "\n".join(f'"{key}": "{value}",<br>' for key, value in OPTIONS.items())),
        (
            "a.ex",
            'a = %{"name" => "a", "config" => %{' + ", ".join(f'"{k}" => "{v}"' for k, v in OPTIONS.items()) + "}}",
        ),
        ("a.clj", '(post {:name "a" :config {' + " ; a\n".join(f'"{k}" "{v}"' for k, v in OPTIONS.items()) + "}})"),
        ("a.json.erb", f"<%# Puppet -%>\n{JSON_BODY}\n"),
        ("a.bru", f"post {{\n  url: c/connectors\n  body: json\n}}\n\nbody:json {{\n  {JSON_BODY}\n}}\n"),
        ("a.sql", f"create role cdc;\n/* the connector:\n{JSON_BODY}\n*/\n"),
        ("A.java", f"/**\n * {JSON_BODY}\n */\nclass A {{}}\n"),
        (
            "a.js",
            f"const lesson = `// the connector\n{JSON_BODY.replace('$', chr(92) + '$')}\n\nasync function a() {{}}`;\n",
        ),
        ("a.properties", "".join(f"app.cdc.debezium.properties.{k}={v}\n" for k, v in OPTIONS.items())),
    ],
)
def test_a_text_is_read_as_its_program_or_page_gives_it(name: str, text: str) -> None:
    (document,) = documents(text, name)
    assert {key: value for key, value in document.config.items() if key != "name"} == OPTIONS


@pytest.mark.parametrize(
    "text",
    [
        "FROM quay.io/debezium/server:3.3\nCOPY <<'E' /debezium/config/application.properties\n" + SERVER_LINES + "E\n",
        "FROM quay.io/debezium/server:3.3\nENV DEBEZIUM_SOURCE_CONNECTOR_CLASS=a.B \\\n"
        "  DEBEZIUM_SOURCE_TOPIC_PREFIX={}\n",
    ],
)
@pytest.mark.parametrize("name", ["Dockerfile", "relay.Dockerfile", "Containerfile"])
def test_an_image_has_settings_of_debezium_server(name: str, text: str) -> None:
    (document,) = documents(text.format("shop"), name)
    assert document.config["topic.prefix"] == "shop"


@pytest.mark.parametrize("value", ["%s", "mongodb://%s:%d/", "%v"])
def test_what_a_program_formats_later_is_not_judged(value: str) -> None:
    assert is_open("mongodb.connection.string", value)


@pytest.mark.parametrize("value", ["100%", "%search", "a%20b", "%%s"])
def test_a_percent_sign_alone_is_a_text(value: str) -> None:
    assert not is_open("mongodb.connection.string", value)


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ('debezium = new DebeziumContainer("1.9").withKafka(kafka)', "1.9"),
        ('new DebeziumContainer("quay.io/debezium/connect:3.1.2.Final")', "3.1"),
        ("- {type: maven, artifact: debezium-connector-postgres, version: 2.5.0}", "2.5"),
        ("artifact: debezium-connector-mysql\n      version: 3.2.1.Final", "3.2"),
        ("debezium-connector-mysql, version of the image: 3.2", None),
        ("see debezium.io/documentation/reference/1.8/development/engine.html", "1.8"),
        ('VERSION="1.9.4.Final"\nwget debezium-connector-mysql-${VERSION}-plugin.tar.gz', "1.9"),
        ('"source": {"version": "1.6.3.Final", "connector": "sqlserver"}, debezium', "1.6"),
        ("We run Debezium 2.x and Kafka 3.7", "2.7"),
        ("We run Debezium 2.4 here", "2.4"),
        ("supported since Debezium 2.4", None),
        ("Debezium 1.9 had other names; ours: topic.prefix=a", None),
        ("Debezium 1.9 had other names; FROM debezium/connect:1.9, topic.prefix=a", "1.9"),
        ("We had Debezium 1.9 and now image debezium/connect:2.7", "2.7"),
        ("as of Debezium 2.4", None),
        ("kind: DebeziumServer\nspec:\n  version: 1.6\n", "1.6"),
    ],
)
def test_the_release_that_a_text_names(text: str, release: str | None) -> None:
    assert stated_release(text) == (Version.of(release) if release else None)


@pytest.mark.parametrize(
    "expression",
    ["$c['class'] ?? '{}'", "options.kind || '{}'", "cfg.get('class', '{}')", "cfg.kind ?: '{}'"],
)
def test_a_class_that_is_there_unless_another_one_is_given(expression: str) -> None:
    kind = "io.debezium.connector.mysql.MySqlConnector"
    name = "a.php" if expression.startswith("$") else "a.ts"
    start = "<?php\n$x = [" if name == "a.php" else "const x = {"
    arrow, end = ("=>", "];") if name == "a.php" else (":", "};")
    text = f"{start}'connector.class' {arrow} {expression.format(kind)}, 'topic.prefix' {arrow} 'a'{end}"
    (document,) = documents(text, name)
    assert document.config["connector.class"] == kind


def test_a_program_that_prints_into_a_text_has_placeholders_there() -> None:
    resource = "kind: KafkaConnector\nmetadata:\n  namespace: %s\nspec:\n  class: a.B\n"
    text = f"package a\nvar a = fmt.Sprintf(`{resource}`, ns)\n"
    (document,) = documents(text, "a.go")
    assert document.config["connector.class"] == "a.B"


@pytest.mark.parametrize("value", ["$db.host", "$db.tables.all"])
def test_a_member_of_a_variable_is_a_placeholder(value: str) -> None:
    assert is_open("database.hostname", value)
    assert not is_open("transforms.a.replacement", "$1.rows")


def test_what_jq_computes_is_a_placeholder() -> None:
    text = """jq -n --arg s "$1" '{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "topic.prefix": $s,
  "table.include.list": ($s + ".outbox")
}' | curl -X PUT -d @- c/connectors/a/config
"""
    (document,) = documents(text, "a.sh")
    assert all(is_open(name, document.config[name]) for name in ("topic.prefix", "table.include.list"))


def test_a_patch_is_no_connector_beside_its_base() -> None:
    resource = "kind: KafkaConnector\nmetadata: {name: a}\nspec:\n"
    base, patch = f"{resource}  class: a.B\n", f"{resource}  config: {{database.hostname: db}}\n"
    target = "kind: Kustomization\npatches:\n  - target: {kind: KafkaConnector, name: a}\n"
    assert len(documents(f"{base}---\n{target}---\n{patch}", "a.yaml")) == 1
    assert len(documents(patch, "a.yaml")) == 1


def test_a_page_says_where_the_rest_of_a_config_is_set() -> None:
    block = (
        "```properties\nconnector.class=io.debezium.connector.postgresql.PostgresConnector\nplugin.name=pgoutput\n```\n"
    )
    (document,) = documents(f"{block}\nSet `database.hostname` for each environment.\n", "README.md")
    assert document.partial
    assert not documents(block, "README.md")[0].partial


def test_transformations_alone_are_a_part_of_a_config() -> None:
    (document,) = documents("transforms: a\ntransforms.a.type: a.B\n", "a.yaml")
    assert document.partial


@pytest.mark.parametrize("language", ["python", "py", "ruby", "kotlin", "rust", "csharp", "elixir", "clojure"])
def test_a_block_of_a_page_is_read_in_its_language(language: str) -> None:
    pairs = {
        "kotlin": "mapOf('{}' to '{}')",
        "ruby": "{{'{}' => '{}'}}",
        "elixir": "%{{'{}' => '{}'}}",
        "clojure": "{{'{}' '{}'}}",
    }
    text = pairs.get(language, "{{'{}': '{}'}}").format("connector.class", "a.B")
    quoted = text if language in ("python", "py", "ruby") else text.replace("'", '"')
    (document,) = documents(f"```{language}\nval c = {quoted}\n```\n", "README.md")
    assert document.config == {"connector.class": "a.B"}


def test_a_remark_behind_an_option_of_a_page() -> None:
    text = "".join(f'"{key}": "{value}",a remark\n' for key, value in OPTIONS.items())
    (document,) = documents(f"{{\n{text}}}\n", "README.md")
    assert document.config == OPTIONS


def test_settings_of_one_server_in_two_texts_are_of_one_server() -> None:
    login = "kind: Secret\nstringData:\n  DEBEZIUM_SOURCE_DATABASE_USER: a\n"
    rest = "kind: ConfigMap\ndata:\n  DEBEZIUM_SOURCE_CONNECTOR_CLASS: a.B\n"
    (document,) = documents(f"{login}---\n{rest}", "a.yaml")
    assert is_open("database.user", document.config["database.user"])
    assert not document.supplemented
    assert "database.user" not in documents(rest, "a.yaml")[0].config


def test_variables_in_a_table_of_a_page() -> None:
    text = "| Variable | Service | Default |\n|---|---|---|\n| `DEBEZIUM_SOURCE_CONNECTOR_CLASS` | relay | a.B |\n"
    (document,) = documents(text, "README.md")
    assert (document.config["connector.class"], document.partial) == ("a.B", True)


def test_a_comment_in_place_of_options() -> None:
    block = "```properties\nconnector.class=a.B\n# {} the same as above\n```\n"
    assert documents(block.format("..."), "README.md")[0].partial
    assert not documents(block.format("a, b, ... are"), "README.md")[0].partial


CAMEL = (
    "debezium-mysql:shop?offsetStorageFileName=/state/a.dat&databaseHostName=db&additionalProperties.topic.prefix=shop"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A.java", f'class A {{ void configure() {{ from("{CAMEL}").log("x"); }} }}'),
        ("A.java", f'class A {{ static final String S = "{CAMEL[:40]}"\n  + "{CAMEL[40:]}"; }}'),
        ("a.js", f"from('{CAMEL}').log('x')"),
    ],
)
def test_an_endpoint_of_camel_runs_a_connector(name: str, text: str) -> None:
    (document,) = documents(text, name)
    assert document.config["connector.class"] == "io.debezium.connector.mysql.MySqlConnector"
    assert document.config["database.hostname"] == "db"  # Camel ignores the case
    assert document.config["topic.prefix"] == "shop"
    assert document.settings["offset.storage.file.filename"] == "/state/a.dat"


@pytest.mark.parametrize(("history", "is_kept"), [("databaseHistoryFileFilename=/state/b.dat&", True), ("", False)])
def test_the_schema_history_of_camel_is_a_file_in_old_releases_only(history: str, is_kept: bool) -> None:
    (document,) = documents(f'class A {{ void f() {{ from("{CAMEL.replace("?", f"?{history}")}"); }} }}', "A.java")
    assert ("schema.history.internal" in document.config) is is_kept


@pytest.mark.parametrize(
    "uri", ["debezium-cassandra:a?databaseHostname=b", "debezium-mysql:a", "kafka:a?databaseHostname=b"]
)
def test_other_endpoints_run_none(uri: str) -> None:
    with pytest.raises(NoConnector):
        documents(f'class A {{ void configure() {{ from("{uri}"); }} }}', "A.java")


def test_a_chain_of_calls_in_clojure_sets_options() -> None:
    chain = (
        '(-> (ConnectorConfiguration/forJdbcContainer pg)\n  (.with "topic.prefix" "shop") ; the prefix\n  (.build))'
    )
    (document,) = documents(f"(def pg (PostgreSQLContainer. image))\n(register! {chain})\n", "a.clj")
    assert document.config["connector.class"] == "io.debezium.connector.postgresql.PostgresConnector"
    assert document.config["topic.prefix"] == "shop"
    assert is_open("database.user", document.config["database.user"])


def test_an_answer_of_kafka_connect_in_a_page_is_no_config() -> None:
    answer = '{}"name":"a","config":{"connector.class":"a.B"},"tasks":[],"type":"source"}'
    sent = '{"name": "a", "config": {"connector.class": "a.B"}}'
    assert len(documents(f"```json\n{sent}\n```\n\n```json\n{answer}\n```\n", "README.md")) == 1


def test_an_array_of_a_shell_has_options() -> None:
    entries = "\n".join(f'"{key}={value.replace("$", chr(92) + "$")}"' for key, value in OPTIONS.items())
    (document,) = documents(f"#!/bin/bash\nPAIRS=(\n{entries}\n# the rest\n)\nsend.sh\n", "a.sh")
    assert document.config == OPTIONS


def test_a_member_of_a_local_value_of_terraform_is_the_config() -> None:
    options = "\n".join(f'      "{key}" = "{value.replace("$", "$$")}"' for key, value in OPTIONS.items())
    local = f"locals {{\n  all = {{\n    config = {{\n{options}\n    }}\n    name = {{ a = 1 }}\n  }}\n}}\n"
    resource = 'resource "aws_mskconnect_connector" "a" {\n  connector_configuration = local.all.config\n}\n'
    (document,) = documents(local + resource, "a.tf")
    assert document.config == OPTIONS


def test_names_of_options_in_ksqldb_may_stand_in_double_quotes_and_values_may_not() -> None:
    pairs = ",\n".join(f"  \"{key}\" = '{value}'" for key, value in OPTIONS.items())
    (document,) = documents(f"CREATE SINK CONNECTOR a WITH (\n{pairs}, -- the rest\n  'x' = \"y\"\n);\n", "a.sql")
    assert document.config == OPTIONS | {"x": "y"}
    assert document.odd == {"x": "an identifier, because it is in double quotes"}


def test_a_json_schema_of_options_is_no_config() -> None:
    properties = {"connector.class": {"const": "a.B"}, "tasks.max": {"type": "integer"}}
    with pytest.raises(NoConnector):
        documents(json.dumps({"type": "object", "properties": properties}), "a.json")
    (document,) = documents(json.dumps({"connector.class": {"name": "a.B"}, "tasks.max": "1"}), "a.json")
    assert "connector.class" in document.odd


@pytest.mark.parametrize("end", ['\\n");\n  b.append("', '\\n")\n  .append("', '"); b.appendLine("'])
def test_lines_that_a_program_appends_are_one_text(end: str) -> None:
    lines = ["```json", *json.dumps(OPTIONS, indent=1).splitlines(), "```", ""]
    text = end.join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    (document,) = documents(f'class A {{\n  b.append("{text}");\n}}\n', "A.java")
    assert document.config == OPTIONS


def test_a_command_of_a_text_is_read_as_a_shell_has_it() -> None:
    body = json.dumps({"connector.class": "a.B", "x": "it"})
    (document,) = documents(f"It's a task.\n\ncurl -X POST a/connectors \\\n -d '{body}'\n\nIt's done.\n", "a.txt")
    assert document.config["x"] == "it" and document.request is not None
    (broken,) = documents(f"Task\n\ncurl -d '{body[:1]} \\\n{body[1:]}' a/connectors\n", "a.txt")
    assert broken.loose


def test_a_row_of_a_table_has_a_connector_in_quotes() -> None:
    body = json.dumps(OPTIONS | {"x": "it's"}).replace("'", "''")
    (document,) = documents(f"INSERT INTO pipelines (id, config) VALUES\n('a',\n'{body}', 1);\n", "a.sql")
    assert document.config == OPTIONS | {"x": "it's"}


def test_a_line_of_a_here_document_that_is_a_variable_may_have_members() -> None:
    lines = ['{"connector.class": "a.B",', "${LINE}", '"x": "y"}']
    (document,) = documents("#!/bin/sh\nB=$(cat <<EOF\n{}\nEOF\n)\n".format("\n".join(lines)), "a.sh")
    assert document.config == {"connector.class": "a.B", "x": "y"} and document.partial and not document.fault


PYTHON_FUNCTIONS = """
def _common(host):
    return {"a": host, "b": "c"}

def one(uri):
    cfg = {"connector.class": "a.B"}
    return {**cfg, **_common("x")}

def two(uri):
    cfg = {"connector.class": "a.C"}
    return {**cfg, **_common("x"), **unknown()}
"""
SCALA_FUNCTIONS = """
object A {
  private def common(source: Source): Properties = {
    val props = new Properties()
    props.setProperty("b", "c")
    props
  }
  def one(source: Source): Properties = {
    val props = common(source)
    props.setProperty("connector.class", "a.B")
    props
  }
}
"""


def test_a_map_has_the_options_that_a_function_of_the_program_gives() -> None:
    one, two = documents(PYTHON_FUNCTIONS, "a.py")
    assert one.config == {"a": "$(host)", "b": "c", "connector.class": "a.B"} and not one.partial
    assert two.config == one.config | {"connector.class": "a.C"} and two.partial
    (scala,) = documents(SCALA_FUNCTIONS, "A.scala")
    assert scala.config == {"b": "c", "connector.class": "a.B"}
    (java,) = documents(
        SCALA_FUNCTIONS.replace("def common(source: Source): Properties =", "Properties common(Source s)"), "A.java"
    )
    assert java.config == scala.config


def test_every_brace_of_jsonnet_is_that_of_a_map() -> None:
    text = (
        "local k = import 'k.libsonnet';\nk.x('a') {\n  class: 'io.debezium.connector.mongodb.MongoDbConnector',\n"
        "  spec+: k.y({ 'mongodb.user': 'a' })\n}\n"
    )
    (document,) = documents(text, "a.libsonnet")
    assert sorted(document.config) == ["connector.class", "mongodb.user"]


GENERATOR = """class A {
  String generate(Pipe pipe) {
    StringBuilder out = new StringBuilder();
    out.append("kind: KafkaConnector\\nmetadata:\\n");
    if (pipe.name != null) {
      out.append("  name: ").append(pipe.get("name")).append("\\n");
    }
    out.append("spec:\\n  class: a.BConnector\\n").append("  config:\\n");
    out.append("    topic.prefix: shop\\n");
    return out.toString();
  }
  String other() {
    StringBuilder out = new StringBuilder();
    out.append("kind: KafkaConnector\\nspec: {class: a.CConnector, config: {x: ").append(3).append("}}\\n");
    return out.toString();
  }
}
"""


def test_what_a_program_appends_under_conditions_is_one_text() -> None:
    one, other = documents(GENERATOR, "A.java")
    assert one.config == {"connector.class": "a.BConnector", "topic.prefix": "shop"} and one.name == "$(argument)"
    assert other.config == {"connector.class": "a.CConnector", "x": "$(argument)"}


def test_what_a_terminal_shows_that_a_command_prints() -> None:
    shown = "$ kubectl get cm a\na: b\n\n$ kubectl get kctr a -o yaml\nkind: KafkaConnector\nmetadata: {name: a}\n"
    page = f"```sh\n{shown}spec:\n  class: a.BConnector\n  config: {{x: y}}\n\n$ kubectl logs a\nx: y: z\n```\n"
    (document,) = documents(page, "README.md")
    assert document.config == {"connector.class": "a.BConnector", "x": "y"}


def test_an_argument_of_curl_in_a_list_is_its_data() -> None:
    entries = ["-XPUT", "c:8083/connectors/a/config", "|\n    -d" + json.dumps({"connector.class": "a.B", "x": "y"})]
    command = "\n".join(f"  - {entry}" for entry in entries)
    (document,) = documents(f"command:\n{command}\n", "a.yml")
    assert document.config == {"connector.class": "a.B", "x": "y"}


def test_a_default_of_an_environment_s_variable_is_a_value() -> None:
    text = 'password = os.getenv("PASSWORD", "kQ7vm")\nC = {"connector.class": "a.B", "database.password": password}\n'
    (document,) = documents(text, "a.py")
    assert document.config["database.password"] == "kQ7vm"


def test_an_expression_of_terraform_within_a_text_may_have_lines_and_quotes() -> None:
    value = '"${var.topic}:${\n      upper(join("_", [\n  split(".", var.topic)[1]\n ]))\n }"'
    resource = 'resource "aws_mskconnect_connector" "a" {{\n  connector_configuration = {{\n{}\n  }}\n}}\n'
    (document,) = documents(resource.format(f'"connector.class" = "a.B"\n"map" = {value}\n"x" = "y"'), "a.tf")
    assert (document.config["connector.class"], document.config["x"]) == ("a.B", "y")


def test_a_resource_of_others_has_a_class_beside_its_config() -> None:
    spec = "  connectorClass: io.debezium.connector.mysql.MySqlConnector\n  config: {topic.prefix: a}\n"
    (document,) = documents(f"kind: Other\nspec:\n{spec}", "a.yaml")
    assert document.config["connector.class"].endswith("MySqlConnector")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<pre><code>curl -d \'{"connector.class": "a.B", "x": "y"}}</span>\'</code></pre>'),
        ("README.md", '```python\ninsert({ "name": made["name"], "kind": made["config"]["connector.class"] })\n```'),
    ],
)
def test_what_need_not_be_json_is_no_broken_json(name: str, text: str) -> None:
    with pytest.raises(NoConnector):
        documents(text, name)


SETTINGS = 'class A {{ void f() {{ c.put("debezium.source.connector.class", "a.B");\nc.put({}, value); }} }}\n'


def test_a_name_that_is_a_field_of_kafka_connect_is_its_option() -> None:
    name = '"debezium.source." + StandaloneConfig.OFFSET_STORAGE_FILE_FILENAME_CONFIG'
    (document,) = documents(SETTINGS.format(name), "A.java")
    assert "offset.storage.file.filename" in " ".join(document.settings)


@pytest.mark.parametrize("name", ["NAME", '"debezium.source." + NAME', '"debezium." + NAMES.get(1, 2)', "names[0]"])
def test_a_name_that_a_program_computes_may_be_any_option(name: str) -> None:
    (document,) = documents(SETTINGS.format(name), "A.java")
    assert document.partial
    (document,) = documents(SETTINGS.format(name).replace("debezium.source.connector", "connector"), "A.java")
    assert document.partial


def test_a_backslash_at_the_end_of_a_line_in_single_quotes_is_no_json() -> None:
    body = '{ \\\n  "name": "a", \\\n  "config": {"connector.class": "a.B"} }'
    assert documents(f"curl connect -d '{body}'\n", "a.sh")[0].loose
    assert documents(f"add:\n\tcurl connect -d '{body}'\n".replace("\n  ", "\n\t  "), "Makefile.mk")[0].loose


def test_a_constant_is_the_name_of_an_option_in_a_map() -> None:
    constants = 'const val CLASS = "connector.class"\nconst val KIND = "a.B"\n'
    (document,) = documents(f"val c = mapOf(CLASS to KIND, OTHER to x)\n{constants}", "A.kt")
    assert document.config["connector.class"] == "a.B"


def test_an_object_of_something_else_that_has_no_end_hides_no_connector() -> None:
    answer = '{"error_code":42201,"message":"Invalid schema\n' + "a line of the answer\n" * 20
    (document,) = documents(f"= Page\n\n----\n{answer}----\n\n----\n{JSON_BODY}\n----\n", "README.adoc")
    assert document.config == OPTIONS


def test_the_release_of_a_plugin_whose_name_has_no_dots() -> None:
    plugin = "arn:aws:kafkaconnect:eu-west-1:1:custom-plugin/debezium-connector-mongodb-1-7-1/0-4"
    assert stated_release(f'{{"customPluginArn": "{plugin}"}}') == Version.of("1.7")
    assert stated_release(plugin.replace("1-7-1", "outbox-2")) is None


def test_a_comment_behind_a_value_of_json_is_none_of_json() -> None:
    (document,) = documents('{"connector.class": "a.B"}\n\n// "x": "y"\n', "a.json")
    assert document.loose is not None  # Kafka Connect answers 500


CELLS = {
    "code": ["config = {\n", '    "connector.class": "a.B",\n', '    "x": "1",\n', "}\n"],
    "markdown": ["Send it:\n", "```json\n", '{"connector.class": "a.B", "x": "1"}\n', "```\n"],
    "shell": ["!curl -X PUT a/connectors/b/config -d '", '{"connector.class": "a.B", "x": "1"}', "'\n"],
}


@pytest.mark.parametrize("kind", CELLS)
def test_a_cell_of_a_notebook_is_read_and_what_it_printed_is_not(kind: str) -> None:
    printed = [{"output_type": "stream", "text": ['{"connector.class": "a.B", "x": "2"}']}]
    cell = {"cell_type": "code" if kind == "shell" else kind, "source": CELLS[kind], "outputs": printed}
    (document,) = documents(json.dumps({"cells": [cell], "nbformat": 4}, indent=1), "a.ipynb")
    assert document.config == {"connector.class": "a.B", "x": "1"}


def test_the_members_of_a_type_are_no_values() -> None:
    declared = "export interface Config {\n  'connector.class': 'a.B';\n  'x': string;\n}\n"
    (document,) = documents(declared + "const c: Config = {'connector.class': 'a.B', 'x': '1'};\n", "a.ts")
    assert document.config == {"connector.class": "a.B", "x": "1"}


PULSAR = """name: a
{name}
configs:
  database.hostname: db
  pulsar.service.url: pulsar://a
"""


@pytest.mark.parametrize(
    ("name", "connector"),
    [
        ("archive: connectors/pulsar-io-debezium-postgres-3.0.0.nar", "postgresql.PostgresConnector"),
        ("className: org.apache.pulsar.io.debezium.mysql.DebeziumMysqlSource", "mysql.MySqlConnector"),
    ],
)
def test_a_source_of_pulsar_runs_a_connector(name: str, connector: str) -> None:
    (document,) = documents(PULSAR.format(name=name), "a.yaml")
    assert document.config == {"connector.class": f"io.debezium.connector.{connector}", "database.hostname": "db"}
    assert document.partial and document.release is None
    former = PULSAR.format(name=name) + "  database.server.name: a\n"
    assert documents(former, "a.yaml")[0].release == "1.9"


def test_another_source_of_pulsar_runs_none() -> None:
    with pytest.raises(NoConnector):
        documents(PULSAR.format(name="archive: connectors/pulsar-io-canal-3.0.0.nar"), "a.yaml")


CLASS_NAMES = {
    "a.java": "MySqlConnector.class.getName()",
    "b.java": "MySqlConnector.class.getCanonicalName()",
    "a.kt": "MySqlConnector::class.java.name",
    "b.kt": "MySqlConnector::class.qualifiedName",
}


@pytest.mark.parametrize("name", CLASS_NAMES)
def test_the_name_of_a_class_that_a_program_imports(name: str) -> None:
    text = "import io.debezium.connector.mysql.MySqlConnector;\nclass A {{ void f() {{ {} }} }}\n"
    call = f'props.setProperty("connector.class", {CLASS_NAMES[name]}); props.setProperty("name", "a");'
    (document,) = documents(text.format(call), name)
    assert document.config == {"connector.class": "io.debezium.connector.mysql.MySqlConnector", "name": "a"}


def test_an_object_has_in_a_branch_what_it_has_outside() -> None:
    text = """class A { Properties f() {
  switch (kind) {
    case A: props.setProperty("connector.class", "a.B"); props.setProperty("x", "1"); break;
  }
  props.setProperty("name", "a");
  return props;
} void g() { other.setProperty("y", "2"); } }
"""
    (document,) = documents(text, "A.java")
    assert document.config == {"connector.class": "a.B", "x": "1", "name": "a"}


def test_commands_in_a_file_of_requests_are_read_as_a_shell_has_them() -> None:
    text = 'curl -X PUT a/connectors/b/config\n  -d \'{\n  "connector.class": "a.B",\n  "x": "1"\n}\'\n\n###\n'
    (document,) = documents(text, "a.http")
    assert document.config == {"connector.class": "a.B", "x": "1"}


def test_a_map_that_an_expression_of_terraform_makes_has_more_options() -> None:
    text = """resource "aws_mskconnect_connector" "a" {
  connector_configuration = merge({
    "connector.class" = "a.B"
  }, {})
}
"""
    assert not documents(text, "a.tf")[0].partial
    assert documents(text.replace("{})", "{ for k, v in local.a : k => v })"), "a.tf")[0].partial
