"""The contract's coverage."""

from outbox_kit.verify.reading import members as fields

SCHEMA = {
    "$defs": {"money": {"properties": {"amount": {"type": "string"}, "currency": {"type": "string"}}}},
    "properties": {
        "id": {"type": "string"},
        "total": {"$ref": "#/$defs/money"},
        "items": {"type": "array", "items": {"properties": {"sku": {}}}},
    },
    "oneOf": [{"properties": {"paid": {}}}, {"if": {}, "then": {"properties": {"due": {}}}}],
}


def test_members_are_named_by_pointer_however_deep() -> None:
    document = {"id": "1", "total": {"amount": "1"}, "items": [{"sku": "a"}, {"sku": "b", "n": 1}]}
    found = {"/id", "/total", "/total/amount", "/items", "/items/*/sku", "/items/*/n"}
    assert set(fields.member_names(document)) == found
    assert fields.undeclared(found, fields.declared(SCHEMA)) == ["/items/*/n"]


def test_a_schema_s_members_are_found_behind_references_and_choices() -> None:
    named = {"/id", "/total", "/total/amount", "/total/currency", "/items", "/items/*/sku", "/paid", "/due"}
    assert fields.declared(SCHEMA) == named


def test_what_is_inside_of_an_undeclared_member_is_not_named_again() -> None:
    assert fields.undeclared(["/a", "/a/b", "/ab"], set()) == ["/a", "/ab"]


def test_a_schema_that_holds_itself_comes_to_an_end() -> None:
    endless = {"properties": {"next": {"$ref": "#"}}}
    assert "/next/next" in fields.declared(endless)


def test_numbers_beyond_a_double_s_precision_are_named() -> None:
    document = {"small": 2**53, "large": 2**53 + 1, "text": str(2**60), "in": [{"n": -(2**60)}], "f": 1e300, "b": True}
    assert sorted(fields.inexact(document)) == ["/in/*/n", "/large"]
