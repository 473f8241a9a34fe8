from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindatlas.nodes.errors import FileReadError
from tests.nodes.mindtrip.parts.loading import load


def test_one_object_a_line(tmp_path: Path) -> None:
    content = '{"title": "日月湾", "price": 0, "hours": null}\r\n\n{"text": "a\u2028b"}'
    one, two = load(tmp_path, "a.jsonl", content)
    assert (one.title, one.metadata) == ("日月湾", {"price": 0})
    assert two.text == "a\u2028b"


def test_nested_values_become_text(tmp_path: Path) -> None:
    fields = {"title": "t", "address": {"city": "万宁", "zip": 571500}, "near": [{"name": "石梅湾"}, "兴隆"]}
    (document,) = load(tmp_path, "a.jsonl", json.dumps(fields))
    assert document.metadata == {"address": "city: 万宁; zip: 571500", "near": ["name: 石梅湾", "兴隆"]}


def test_nan_is_empty(tmp_path: Path) -> None:
    assert load(tmp_path, "a.jsonl", '{"title": "t", "x": NaN, "y": 1}')[0].metadata == {"y": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"a": 1', "line 2: .* column 8"),
        ("[1]", "line 2: an array where an object should be"),
        ("null", "line 2: null where"),
        ("1", "line 2: a number where"),
        ('{"a": 1} {"b": 2}', "line 2: Extra data"),
        ('{"a": 1, "a": 2}', "line 2: the key 'a' stands twice"),
        ('{"a": ' + "9" * 5000 + "}", "line 2: "),
    ],
)
def test_a_bad_line_is_an_error_that_names_it(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.jsonl', {reason}"):
        load(tmp_path, "a.jsonl", f'{{"title": "t"}}\n{line}\n')


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_endless_nesting_is_an_error(tmp_path: Path, suffix: str) -> None:
    content = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(FileReadError, match="nested too deeply"):
        load(tmp_path, f"a.{suffix}", content if suffix == "jsonl" else f"[{content}]")


def test_an_array_of_objects(tmp_path: Path) -> None:
    documents = load(
        tmp_path, "a.json", json.dumps([{"title": "a", "n": 1}, {"title": "b", "n": 2}], indent=1)
    )
    assert [(document.title, document.metadata) for document in documents] == [
        ("a", {"n": 1}),
        ("b", {"n": 2}),
    ]


def test_pairs_of_name_and_object(tmp_path: Path) -> None:
    rows = [["故宫", {"名称": "故宫", "门票": 60}], ["天坛", {"门票": 15}]]
    documents = load(tmp_path, "a.json", json.dumps(rows))
    assert [(d.title, d.aliases, d.metadata) for d in documents] == [
        ("故宫", (), {"门票": 60}),
        ("天坛", (), {"门票": 15}),
    ]


@pytest.mark.parametrize(("given", "expected"), [({}, ()), ({"别名": "甲、乙"}, ("甲", "乙"))])
def test_the_name_of_a_pair_is_never_lost(
    tmp_path: Path, given: dict[str, str], expected: tuple[str, ...]
) -> None:
    rows = [["紫禁城", {"名称": "故宫", **given}]]
    (document,) = load(tmp_path, "a.json", json.dumps(rows))
    assert (document.title, document.aliases) == ("故宫", ("紫禁城", *expected))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"data": []}', "an object where an array should be"),
        ('"text"', "a string where an array"),
        ("[]", "no record"),
        ('[{"a": 1}, "b"]', "record 2: a string where an object"),
        ('[["a", 1]]', "record 1: an array where an object"),
        ('[\n{"a": }]', "line 2: Expecting value at column 7"),
        ('{"a": 1}\n{"a": 2}', r"line 2: Extra data.*\.jsonl"),
    ],
)
def test_another_shape_is_an_error(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.json.*{reason}"):
        load(tmp_path, "a.json", content)
