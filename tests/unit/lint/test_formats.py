"""Connectors are found in files of every format, each key at its place in the file."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outbox_kit.errors import BadConfigFile
from outbox_kit.lint.document import Document, LooseJson
from outbox_kit.lint.formats import all_formats, documents, suffixes
from outbox_kit.lint.placeholders import is_open

POSTGRES = "io.debezium.connector.postgresql.PostgresConnector"
REPLACEMENT = "transforms.outbox.route.topic.replacement"
QUOTED = """#!/bin/bash
# don't "worry
curl -X POST http://connect:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "'"$NAME"'", "config": {
    "connector.class": "a.B", "slot.name": "it'\\''s",
    "transforms.outbox.route.topic.replacement": "${routedByValue}.e"
  }}'
"""
ESCAPED = r"""curl -d "{ \"name\": \"x\", \"config\": {\"connector.class\": \"a.B\", \"a\": \"\${x}\", \"b\": \"${x}\",
\"tasks.max\": $N }}" http://connect
"""
HERE = r"""curl -d @- http://connect <<EOF
{"name": "here", "config": {"connector.class": "a.B", "x": "\${routedByValue}$Y",
  "z": ${Z:-1}}}
EOF
curl --data "$(cat <<-'END'
	{"name": "deep", "config": {"connector.class": "a.B", "x": "${y}"}}
	END
)" http://connect
"""
SETTINGS = """docker run -e DEBEZIUM_SOURCE_CONNECTOR_CLASS=a.B \\
  -e DEBEZIUM_SOURCE_TOPIC_PREFIX=shop debezium/server
"""
MAIL = """Hi, nothing arrives. It has:
{
  "connector.class": "a.B",
  "x": "}{"
}
or as properties:

connector.class=a.B
y = 1
Thanks
"""
POWERSHELL = """Invoke-RestMethod -Uri $u -Body '{"name": "n",
  "config": {"connector.class": "a.B", "x": "y"}}'
"""
INDENTED = """# Page

```json
    {"connector.class": "a.B"}
```

and then

    curl -d '{
      "connector.class": "a.B", "x": "y"
    }' http://connect

    not a connector
"""
PROGRAM = """const base = {a: 1};
fetch(url, {body: JSON.stringify({name: 'n', config: {
  // comment
  'connector.class': 'a.B', 'tasks.max': 1,
  'x': `${process.env.X}.y`,
  'z': host,
}})})
"""
JAVA = """class Setup {
    static final String SLOT = "orders";
    Map<String, String> config(Db db) {
        Map<String, String> c = new HashMap<>();
        c.put("connector.class", "a.B"); // ours
        c.put("slot.name", SLOT);
        c.put("table.include.list", db.schema() + "." + "outbox");
        c.put("transforms.outbox.route.topic.replacement", "${routedByValue}.e");
        other.put("x", "y");
        return c;
    }
    Configuration engine() {
        return Configuration.create().with("connector.class", "a.B").with("offset.storage", "c.D")
            .with("tasks.max", 1).build();
    }
}
"""
PAIRS = """class Setup { Map<String, String> c = Map.of("connector.class", "a.B", "x", f(1, 2), "y", "z"); }
"""
KOTLIN = """object Setup {
    val group = "\\${routedByValue}"
    fun body(prefix: String) = mapOf("connector.class" to "a.B", "topic.prefix" to "${prefix}-x")
    val json = \"\"\"{"connector.class": "a.B", "x": "${group}.$name"}\"\"\"
}
"""
GO = """package relay

const Slot = "orders"

func config(host string) map[string]string {
	return map[string]string{
		"connector.class": "a.B",
		"slot.name":       Slot,
		"x":               `^${y}$`,
		"database.hostname": host,
	}
}
"""
SPREAD_MAPS = """const common: Config = { 'connector.class': 'a.B', transforms: 'outbox', 'tasks.max': '2' };
export const own = (t) => ({ ...common, 'topic.prefix': process.env.PREFIX || 'shop', 'tasks.max': '1' });
"""
HASHTABLE = """$body = @{
  name = "n"
  config = @{
    "connector.class" = "a.B"
    "x" = "y"
  }
} | ConvertTo-Json
"""
PULUMI = """container(environment={
    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "a.B",
    "DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT": f"{stage}.${{routedByValue}}",
}, secrets={"DEBEZIUM_SOURCE_DATABASE_PASSWORD": arn})
"""
JENKINS = """stage('x') { sh '''
oc apply -f - <<'END'
kind: KafkaConnector
metadata: {name: a}
spec:
  class: a.B
  config:
    x: y
END
''' }
"""
OPERATOR = """kind: DebeziumServer
metadata: {name: a}
spec:
  sink:
    type: kafka
    config: {producer.acks: all}
  format: {key: {type: json, config: {schemas.enable: false}}}
  source:
    class: a.B
    config:
      database.hostname: db
  transforms:
    - type: c.D
      config: {x: y}
"""
TYPED = """# Page

```
$ cat application.properties
debezium.source.connector.class=a.B
debezium.source.topic.prefix=shop
$ run
```
"""
KSQL = """-- the outbox
CREATE SOURCE CONNECTOR IF NOT EXISTS `n` WITH ('connector.class' = 'a.B',
  'x' = 'it''s', 'tasks.max' = 1 -- one
);
"""
NO_COMMA = """{
  "connector.class": "a.B"
  "x": "y",
  "z": "1"
}
"""
HTTP = """@host = x
### create
POST {{host}}/connectors
Content-Type: application/json

{ "name": "{{name}}", "config": { "connector.class": "a.B",
  "tasks.max": {{tasks}} } }

> {% client.test() %}
###
GET {{host}}/connectors
"""
PAGE = """# Connector

- first:
  ```bash
  $ curl -d '{"name": "a", "config": {"connector.class": "a.B",
     "x": "y"}}' http://connect
  ```

```json
// without its braces
"connector.class": "a.B",
"transforms": "outbox"
```

```json
{"name": "outline", "config": {"connector.class": "a.B", ... }}
```
"""
COMPOSE = """services:
  debezium:
    environment:
      - DEBEZIUM_SOURCE_CONNECTOR_CLASS=a.B
      - DEBEZIUM_TRANSFORMS=outbox
      - DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT=$$$${routedByValue}
      - DEBEZIUM_SOURCE_DATABASE_HOSTNAME=${HOST:-db}
  init:
    command: |
      sh -c "curl -d '{\\"name\\": \\"x\\", \\"config\\": {\\"connector.class\\": \\"a.B\\"}}' http://connect"
"""
CONFIG_MAP = """apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"config": {"connector.class": "a.B"}}'
data:
  connector.json: |
    {
      "name": "cm", "config": {
        "connector.class": "a.B",
        "x": {{ .Values.x | default "a" }}
      }
    }
  application.properties: |
    # settings
    debezium.source.connector.class=a.B
    debezium.value.converter=x
"""
HELM = """{{- if .Values.enabled }}
kind: KafkaConnector
metadata:
  name: {{ .Release.Name }}-outbox
spec:
  class: a.B
  config:
    {{- toYaml .Values.config | nindent 4 }}
    slot.name: {{ .Values.slot | quote }}
{{- end }}
"""
CLOUD = """locals {
  shared = {
    "topic.prefix" = "shop"
  }
}
resource "kafka-connect_connector" "a" {
  name   = "a"
  config = merge(local.shared, {
    "connector.class" = "a.B" # ours
    "slot.name"       = join("_", ["shop", var.env]) # "one", "two"
    "transforms.outbox.route.topic.replacement" = "$${routedByValue}.${var.env}"
  })
}
"""
TEMPLATE = '{"connector.class": "a.B", "x": "$${y}", "z": "${lower(name)}"}'
JOINED = "connector.class=a.B;x=y;name=z"

QUARKUS = """debezium:
  source:
    connector.class: a.B
    database:
      hostname: db
  format: {key: simplestring}
"""
VALUES = """connectors:
  - name: a
    class: a.B
    config:
      topic.prefix: <%= prefix %>
"""

CASES = {
    "quarkus": ("application.yaml", QUARKUS, [({"database.hostname": "db"}, {"database.hostname": (5, 7)})]),
    "values": ("values.yaml", VALUES, [({"topic.prefix": "<%= prefix %>"}, {"connector.class": (3, 5)})]),
    "quoted": ("a.sh", QUOTED, [({"slot.name": "it's", REPLACEMENT: "${routedByValue}.e"}, {"slot.name": (5, 31)})]),
    "escaped": ("a.sh", ESCAPED, [({"a": "${x}", "b": "$(x)", "tasks.max": "$(N)"}, {"tasks.max": (2, 2)})]),
    "here": (
        "a.sh",
        HERE,
        [({"x": "${routedByValue}$(Y)", "z": "1"}, {"z": (3, 3)}), ({"x": "${y}"}, {"x": (6, 56)})],
    ),
    "settings": ("a.sh", SETTINGS, [({"topic.prefix": "shop", "connector.class": "a.B"}, {"topic.prefix": (2, 6)})]),
    "mail": ("a.txt", MAIL, [({"x": "}{"}, {"x": (4, 3)}), ({"y": "1"}, {"y": (9, 1)})]),
    "powershell": ("a.ps1", POWERSHELL, [({"x": "y"}, {"x": (2, 40)})]),
    "indented": ("README.md", INDENTED, [({}, {"connector.class": (4, 6)}), ({"x": "y"}, {"x": (10, 33)})]),
    "program": ("a.ts", PROGRAM, [({"tasks.max": "1", "x": "$(process.env.X).y", "z": "$(host)"}, {"x": (5, 3)})]),
    "java": (
        "A.java",
        JAVA,
        [
            (
                {"slot.name": "orders", "table.include.list": "$(db.schema).outbox", REPLACEMENT: "${routedByValue}.e"},
                {"slot.name": (6, 15)},
            ),
            ({"tasks.max": "1"}, {"tasks.max": (14, 19)}),
        ],
    ),
    "pairs": ("A.java", PAIRS, [({"x": "$(f_1_2)", "y": "z"}, {"y": (1, 86)})]),
    "kotlin": (
        "A.kt",
        KOTLIN,
        [({"topic.prefix": "$(prefix)-x"}, {"topic.prefix": (3, 66)}), ({"x": "${routedByValue}.$(name)"}, {})],
    ),
    "go": ("a.go", GO, [({"slot.name": "orders", "x": "^${y}$", "database.hostname": "$(host)"}, {"x": (9, 3)})]),
    "maps that others take over": (
        "a.ts",
        SPREAD_MAPS,
        [({"transforms": "outbox", "tasks.max": "1", "topic.prefix": "shop"}, {"topic.prefix": (2, 41)})],
    ),
    "hashtable": ("a.ps1", HASHTABLE, [({"x": "y"}, {"x": (5, 5)})]),
    "pulumi": ("a.py", PULUMI, [({REPLACEMENT: "$(stage).$(routedByValue)", "database.password": "$(arn)"}, {})]),
    "jenkins": ("Jenkinsfile", JENKINS, [({"x": "y"}, {"x": (8, 5)})]),
    "operator": (
        "a.yaml",
        OPERATOR,
        [({"database.hostname": "db", "key.converter.schemas.enable": "false", "transforms.t0.x": "y"}, {})],
    ),
    "typed": ("README.md", TYPED, [({"topic.prefix": "shop"}, {"topic.prefix": (6, 1)})]),
    "ksql": ("a.sql", KSQL, [({"x": "it's", "tasks.max": "1"}, {"x": (3, 3)})]),
    "a comma is missing": ("a.json", NO_COMMA, [({"x": "y", "z": "1"}, {"x": (3, 3)})]),
    "http": ("a.http", HTTP, [({"tasks.max": "$(tasks)"}, {"tasks.max": (7, 3)})]),
    "page": ("README.md", PAGE, [({"x": "y"}, {"x": (6, 6)}), ({"transforms": "outbox"}, {"transforms": (12, 1)})]),
    "compose": (
        "a.yml",
        COMPOSE,
        [({REPLACEMENT: "${routedByValue}", "database.hostname": "db"}, {"transforms": (5, 9)}), ({}, {})],
    ),
    "config map": ("a.yaml", CONFIG_MAP, [({"x": "a"}, {"x": (11, 9)}), ({}, {})]),
    "helm": (
        "a.yaml",
        HELM,
        [({"slot.name": "$(.Values.slot_quote)", "connector.class": "a.B"}, {"slot.name": (9, 5)})],
    ),
    "terraform": ("a.tf", CLOUD, [({REPLACEMENT: "${routedByValue}.$(var.env)", "topic.prefix": "shop"}, {})]),
    "template": ("a.json.tpl", TEMPLATE, [({"x": "${y}", "z": "$(lower_name)"}, {})]),
    "joined": ("a.properties", JOINED, [({"x": "y"}, {"x": (1, 21)})]),
}


def read(text: str, name: str) -> list[Document]:
    return documents(text, name)


@pytest.mark.parametrize("case", CASES)
def test_a_connector_is_read_with_the_place_of_each_key(case: str) -> None:
    name, text, expected = CASES[case]
    parsed = read(text, name)
    assert len(parsed) == len(expected)
    for document, (options, spots) in zip(parsed, expected, strict=True):
        assert options.items() <= document.config.items()
        assert spots.items() <= document.spots.items()
        assert document.config["connector.class"] == "a.B"


@pytest.mark.parametrize("case", CASES)
def test_each_key_stands_where_it_is_said_to(case: str) -> None:
    name, text, _ = CASES[case]
    lines = text.splitlines()
    for document in read(text, name):
        for key, (line, column) in document.spots.items():
            rest = lines[line - 1][column - 1 :].lower().replace("_", ".")
            last = key.rpartition(".")[2]
            names = (key, key.removeprefix("transforms."), last, "class", "key", "type", "debezium.", "schemas")
            assert rest.lstrip("\\\"'").startswith(names), (key, rest)


def test_what_the_file_does_not_show_is_known() -> None:
    assert read(HELM, "a.yaml")[0].partial and read(PAGE, "README.md")[1].partial
    assert not read(CLOUD, "a.tf")[0].partial
    patch = HELM.replace("  class: a.B\n", "").replace("    {{- toYaml .Values.config | nindent 4 }}\n", "")
    assert (
        read(patch, "a.yaml")[0].partial
        and not read(f"{patch}".replace("spec:", "spec:\n  class: a.B"), "a.yaml")[0].partial
    )
    elsewhere = CLOUD.replace("local.shared", "var.shared")
    assert read(elsewhere, "a.tf")[0].partial
    spread = PROGRAM.replace("'z': host", "...other")
    assert read(spread, "a.ts")[0].partial and not read(PROGRAM, "a.ts")[0].partial


def test_who_replaces_variables_is_known() -> None:
    assert [document.expands for document in read(HERE, "a.sh")] == ["the shell", "single quotes"]
    assert read(QUOTED.replace("'\"$NAME\"'", "x"), "a.sh")[0].expands == "single quotes"
    plain = QUOTED.replace("'\"$NAME\"'", "x")
    for command, expands in (("envsubst '$A $B' < a", ""), ("envsubst < a > b", "envsubst"), ("# envsubst", "")):
        assert read(f"{command}\n{plain}", "a.sh")[0].expands == expands
    assert {document.expands for document in read(COMPOSE, "a.yml")} == {"Debezium Server", "the shell"}


def test_a_here_document_has_the_variables_of_its_script() -> None:
    (document,) = read('Y="y"\ncurl -d @- <<EOF\n{"connector.class": "a.B", "x": "$Y", "z": "$Z"}\nEOF\n', "a.sh")
    assert document.config == {"connector.class": "a.B", "x": "y", "z": "$(Z)"}


@pytest.mark.parametrize(
    ("function", "calls", "value"),
    [
        ("add() {{\n  local name=$1\n{}\n}}\n", "add one x\nadd two\n", "one"),
        ('function add {{\n  local -r n=a name="${{2:-d}}"\n  name=${{2}}\n{}\n}}\n', 'add a \\\n  "b c"\n', "b c"),
        ("add () {{\n{}\n}}\n", "  add 'one'  # the first\n", "$(name)"),
        ("add() {{\n  name=$1\n{}\n}}\n", 'add "$ONE"\n', "$(name)"),
        ("add() {{\n  name=$2\n{}\n}}\n", "add one\n", "$(name)"),
        ("add() {{\n  name=$1\n{}\n}}\n", "add 'one\n", "$(name)"),
        ("other() {{\n  name=$1\n}}\nother two\nadd() {{\n  name=$1\n{}\n}}\n", "other two\nadd one\n", "$(name)"),
    ],
)
def test_a_variable_has_the_parameter_of_the_first_call(function: str, calls: str, value: str) -> None:
    body = '  curl -d "{\\"connector.class\\": \\"a.B\\", \\"x\\": \\"$name\\"}" a:8083/connectors'
    (document,) = read("#!/bin/bash\n" + function.format(body) + calls, "a.sh")
    assert document.config["x"] == value


def test_the_number_of_a_parameter_is_known_if_one_function_has_it() -> None:
    text = '#!/bin/bash\nadd() {\n  curl -d "{\\"connector.class\\": \\"a.B\\", \\"x\\": \\"$1\\"}" a\n}\nadd one\n'
    assert [document.config["x"] for document in read(text, "a.sh")] == ["one"]
    assert [document.config["x"] for document in read(text + "echo $1\n", "a.sh")] == ["$(1)"]
    assert [document.config["x"] for document in read(text + "log() {\n echo $1\n}\n", "a.sh")] == ["$(1)"]


def test_the_members_of_an_object_in_a_here_document_are_a_partial_config() -> None:
    (document,) = read('part() {\n  cat <<EOF\n"connector.class": "a.B",\n"x": "$Y",\nEOF\n}\n', "a.sh")
    assert document.config == {"connector.class": "a.B", "x": "$(Y)"} and document.partial


def test_an_escape_that_names_no_character_is_text() -> None:
    (document,) = read('config = {\n  "connector.class" = "a.B"\n  "x" = "\\U0010FFFF\\U00110000"\n}\n', "a.tf")
    assert document.config["x"] == "\U0010ffffU00110000"


def test_one_that_cannot_be_read_has_a_fault_and_hides_no_other() -> None:
    broken = QUOTED.replace('"connector.class": ', '"connector.class" ')
    first, second = read(broken + ESCAPED, "a.sh")
    assert first.fault == "invalid JSON in line 5: expected ':'" and first.start[0] == 5
    assert second.config["connector.class"] == "a.B" and not second.fault


SENT = """{
  "name": "a",
  "config": {
    "connector.class": "a.B",
    "topic.prefix": "shop"
  }
}
"""


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        pytest.param('"a",', 'a",', 2, id="a quote is missing"),
        pytest.param('"topic.prefix": "shop"', '"x": "y,\n    "topic.prefix": "shop"', 5, id="a quote is open"),
        pytest.param("{\n", "POST /connectors\n\n{\n", 1, id="text before it"),
        pytest.param("  }\n}\n", "  }\n}\n~\n", 8, id="text behind it"),
        pytest.param("  }\n}\n", "  }\n", 7, id="the end is missing"),
        pytest.param("  }\n}\n", "  }\n}\n{}\n", 8, id="two texts"),
    ],
)
def test_of_json_that_cannot_be_read_the_other_lines_are(before: str, after: str, line: int) -> None:
    (document,) = read(SENT.replace(before, after, 1), "a.json")
    assert document.fault.startswith(f"invalid JSON in line {line}: ") and document.fault_line == line
    assert document.config["connector.class"] == "a.B" and document.config["topic.prefix"] == "shop"
    assert not document.verbatim


def test_the_value_in_a_line_that_cannot_be_read_is_not_known() -> None:
    (document,) = read(SENT.replace('"shop"', 'shop"'), "a.json")
    assert "topic.prefix" in document.config and "shop" not in document.config["topic.prefix"]


def test_several_objects_in_a_text_are_several_configs() -> None:
    first, second = read(SENT + SENT.replace("shop", "other"), "notes.txt")
    assert not first.fault and not second.fault and second.config["topic.prefix"] == "other"


def test_what_stands_behind_the_documents_of_a_yaml_file_is_left_out_if_it_has_no_connector() -> None:
    connector, text = "connector.class: a.B\ntasks.max: 1\n", "---\na: b\n\nthe log: at x: y: 'z\n"
    assert [document.config["connector.class"] for document in read(connector + text, "a.yaml")] == ["a.B"]
    with pytest.raises(BadConfigFile):
        read(connector + text + connector, "a.yaml")


@pytest.mark.parametrize("remark", ["", " <-- your host", "  <- # here", " \u2190 the name", " // the name"])
def test_what_an_author_says_behind_a_line_of_a_page_is_no_value(remark: str) -> None:
    json = f'{{{remark}\n"connector.class": "a.B",{remark}\n"topic.prefix": "shop"{remark}\n}}'
    yaml = f"connector.class: a.B{remark}\ntopic.prefix: shop{remark}"
    url = "connector.class: a.B\ntopic.prefix: http://shop"
    page = f"```json\n{json}\n```\n\n```yaml\n{yaml}\n```\n\n```yaml\n{url}\n```\n"
    prefixes = [document.config["topic.prefix"] for document in read(page, "README.md")]
    assert prefixes == ["shop", "shop", "http://shop"]


def test_a_block_of_a_page_does_not_begin_with_a_command_in_fences_on_its_line() -> None:
    block = '``` http://connect:8083/connectors\n\nOrders\n{"connector.class": "a.B"}\n```'
    page = f"# Start\n\n```docker compose up -d```\n\n{block}\n"
    assert [document.config for document in read(page, "README.md")] == [{"connector.class": "a.B"}]


def test_comments_and_trailing_commas_are_read_and_reported() -> None:
    text = '{"connector.class": "a.B", // ours\n "x": "y", /* no */ }'
    (document,) = read(text, "a.json")
    assert document.config == {"connector.class": "a.B", "x": "y"}
    assert document.loose == LooseJson((1, 28), is_comment=True)


def test_doubled_commas_are_read_and_reported() -> None:
    (document,) = read('{"connector.class": "a.B",, "x": "y"}', "a.json")
    assert document.config == {"connector.class": "a.B", "x": "y"}
    assert document.loose == LooseJson((1, 27), is_comment=False)


def test_a_remark_is_no_option_unless_it_is_a_list() -> None:
    (document,) = read('{"connector.class": "a.B", "_comment": "x", "_comment_y": ["z"]}', "a.json")
    assert [*document.config] == ["connector.class"] and document.odd == {"_comment_y": "a list"}
    assert document.spot("_comment_y") == (1, 45)


def test_a_program_s_resource_of_strimzi_has_its_class_beside_the_config() -> None:
    text = """new KafkaConnector(this, 'a', { spec: {
      class: 'io.debezium.connector.postgresql.PostgresConnector', tasksMax: 1,
      config: { 'database.hostname': host, 'topic.prefix': 'shop' } } });"""
    (document,) = read(text, "a.ts")
    assert document.config["connector.class"].endswith("PostgresConnector")
    assert document.config["topic.prefix"] == "shop" and document.spot("connector.class") == (2, 7)


MANY = 3_000
WORD = "connector.class "
HOSTILE = {
    "parentheses": WORD + "(" * MANY,
    "substitutions": WORD + "$(" * MANY,
    "quoted substitutions": WORD + '"$(' * MANY,
    "templates": WORD + "{{" * MANY,
    "comments of templates": WORD + "{{/*" * MANY,
    "statements": "{% " * MANY + WORD,
    "quotes": WORD + "'" * MANY,
    "here-documents": WORD + "<<A\n" * MANY,
    "objects": '{"connector.class":' * MANY,
    "lists": "[" * MANY + WORD,
    "blanks": WORD + " " * MANY + "\n" * MANY,
    "commands": "curl " * MANY + WORD,
    "fences": '```json\n{"connector.class": \n' * MANY,
    "resources": 'resource "confluent_connector" "a" {\n config = {\n' * MANY + WORD,
    "requests": "POST /x\n\n{" * MANY + WORD,
    "names and values": f"{WORD}Map.of(" + '"a", "b", ' * MANY,
    "calls": WORD + 'x.put("a", ' * MANY,
    "tables": WORD + "create table a(" * MANY,
    "members": WORD + '@JsonProperty("a") ' * MANY,
    "fields": WORD + '@Value("${a:b}") ' * MANY,
    "variables": WORD + 'name = "DEBEZIUM_SOURCE_A", ' * MANY,
    "workers": "kind: KafkaConnect\nCONFIG_STORAGE_TOPIC: a\n" * MANY + WORD,
    "publications": WORD + "create publication p for table a, " * MANY,
    "placeholders": '{"connector.class": "' + "${a<b%c@" * MANY + '"}',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_text_that_has_no_end_is_read_or_refused(text: str) -> None:
    for suffix in (*(form.suffixes[0] for form in all_formats()), ""):
        refused_or_read(text, suffix)


WORDS = (
    *"\"'`${}()[]<>\\#=:;,\n\t -",
    *("EOF", "<<EOF\n", "$(", "${x}", "{{ x }}", "{{- if", '"connector.class": "a.B"', "connector.class=a.B\n"),
    *(
        "curl -d '",
        '{"name": "a", "config": {',
        "```json\n",
        "POST /x\n\n",
        "debezium.source.",
        "config = {",
        "spec:\n",
    ),
    *('resource "confluent_connector" "a" {', "kind: KafkaConnector\n", "  config:\n"),
)
PIECES = st.lists(st.sampled_from(WORDS), max_size=60)


@given(PIECES, st.sampled_from([*suffixes(), ""]))
@settings(max_examples=300)
def test_any_text_is_read_or_refused(pieces: Iterable[str], suffix: str) -> None:
    refused_or_read("".join(pieces), suffix)


def refused_or_read(text: str, suffix: str) -> None:
    try:
        parsed = read(text, f"a{suffix}")
    except BadConfigFile as refusal:
        assert refusal.what
        return
    lines = text.count("\n") + 1
    for document in parsed:
        assert all(1 <= line <= lines and column >= 1 for line, column in document.spots.values())


def test_variables_of_debezium_server_may_be_in_lower_case() -> None:
    variables = "[debezium_source_connector_class=a.B, debezium_sink_type=redis]"
    text = f"services:\n  s:\n    environment: {variables}\n"
    (document,) = read(text, "compose.yml")
    assert document.config["connector.class"] == "a.B"
    assert document.settings["debezium.sink.type"] == "redis"


@pytest.mark.parametrize(
    "value",
    [
        "!Ref Host",
        '!Sub "${Name}.db"',
        '!Join [".", [!Ref Name, db]]',
        '{"Fn::Join": [".", ["a", "b"]]}',
        '{"Ref": "a"}',
    ],
)
def test_a_function_of_cloudformation_gives_a_value(value: str) -> None:
    (document,) = read(f"config:\n  connector.class: a.B\n  database.hostname: {value}\n", "a.yaml")
    assert is_open("database.hostname", document.config["database.hostname"])
    assert document.odd == {}


@pytest.mark.parametrize("text", ['"{}".into()', '"{}".to_string()', '"{}".to_owned()', 'String::from("{}")'])
def test_texts_of_rust(text: str) -> None:
    options = {"connector.class": "a.B", "a.b": "c"}
    pairs = ", ".join(f"({text.format(name)}, {text.format(value)})" for name, value in options.items())
    (document,) = read(f"fn main() {{ let props = HashMap::from([{pairs}]); }}\n", "a.rs")
    assert document.config == options


def test_variables_of_an_image_that_runs_one_connector() -> None:
    (document,) = read('docker run -e CONNECTOR_CONNECTOR_CLASS="a.B" -e CONNECTOR_TASKS_MAX=1 image\n', "a.sh")
    assert document.config == {"connector.class": "a.B", "tasks.max": "1"}


@pytest.mark.parametrize("value", ["a.B", '"a.B"', "'a.B'"])
def test_a_setting_whose_value_is_in_quotes(value: str) -> None:
    (document,) = read(f"docker run -e DEBEZIUM_SOURCE_CONNECTOR_CLASS={value} -e DEBEZIUM_SINK_TYPE=redis i\n", "a.sh")
    assert document.config["connector.class"] == "a.B"
