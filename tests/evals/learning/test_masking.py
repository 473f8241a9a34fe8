from __future__ import annotations

import datetime as dt
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.learning.masking import mask, mask_text
from mindatlas.evals.learning.masking_digits import is_card, is_id_card
from tests.evals.learning.personal import PLANTED, card, id_card

FILLER = st.text(st.sampled_from("三亚看海，。 \n的abc"), max_size=8)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("电话13812345678谢谢", "电话[PHONE]谢谢"),
        ("138 1234 5678", "[PHONE]"),
        ("+86 138-1234-5678", "+[PHONE]"),
        ("008613812345678", "[PHONE]"),
        ("１３８１２３４５６７８", "[PHONE]"),
        ("一三八一二三四五六七八", "[PHONE]"),
        ("138\u200b1234\u200b5678", "[PHONE]"),
        ("1 3 8 1 2 3 4 5 6 7 8", "[PHONE]"),
        ("0898-66558888", "[PHONE]"),
        ("010-12345678", "[PHONE]"),
        ("089866558888", "[PHONE]"),
        ("电话 66558888", "电话 [PHONE]"),
        ("身份证11010519491231002X", "身份证[ID]"),
        ("110105 19491231 002x", "[ID]"),
        ("4111 1111 1111 1111", "[CARD]"),
        ("zhang.san+1@mail.example.com.cn，好", "[MAIL]，好"),
        ("张三@例子.中国", "[MAIL]"),
        ("琼A·12345 和 粤B12345D。", "[PLATE] 和 [PLATE]。"),
        ("联系人张三，电话", "联系人[NAME]，电话"),
        ("姓名：欧阳娜娜", "姓名：[NAME]"),
        ("联系人：张三、李四 去三亚", "联系人：[NAME] 去三亚"),
        ("姓名张三电话13900001111", "姓名[NAME]电话[PHONE]"),
        ("Name: Maria Garcia Lopez wants", "Name: [NAME] wants"),
        ('{"姓名": "张三", "x": 1}', '{"姓名": "[NAME]", "x": 1}'),
        ("| 姓名 | 张三 |", "| 姓名 | [NAME] |"),
    ],
)
def test_personal_data_is_replaced_by_its_kind(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "价格1500元 2026-12-01 10:00-13:30 三亚14度",
        "0.3333333333333333",
        "门票60元，限 130 200 300 45",
        "联系人电话多少",
        "姓名是什么",
        "11010519491231002",  # one digit short
        "110105194912310021",  # a wrong check digit, and no card number
        "wuzhishan-transport",
        "",
    ],
)
def test_what_is_no_personal_data_stays(text: str) -> None:
    assert mask_text(text) == text


@given(FILLER, PLANTED, FILLER)
def test_planted_data_never_survives(before: str, planted: tuple[str, str], after: str) -> None:
    written, secret = planted
    masked = mask_text(f"{before}，{written}。{after}")
    assert secret not in masked
    assert mask_text(masked) == masked


@given(st.text(max_size=60))
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask_text(mask_text(text)) == mask_text(text)


@given(st.integers(0, 10**17 - 1))
def test_each_id_number_is_told_by_its_check_digit(number: int) -> None:
    right = id_card(f"{number:017}")
    assert is_id_card(right)
    assert not is_id_card(right[:17] + ("0" if right[17] != "0" else "1"))


@given(st.integers(10**14, 10**15 - 1))
def test_each_card_number_is_told_by_luhn(number: int) -> None:
    right = card(str(number))
    assert is_card(right)
    assert not is_card(right[:-1] + str((int(right[-1]) + 1) % 10))


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ({"电话": 13812345678, "n": 3, "x": 1.5}, {"电话": "[PHONE]", "n": 3, "x": 1.5}),
        ({"手机": 13812345678.0}, {"手机": "[PHONE]"}),
        ({"客户姓名": "李雷", "Name": ["Ann", "Bo"]}, {"客户姓名": "[NAME]", "Name": ["[NAME]", "[NAME]"]}),
        ({"columns": ["联系人", "n"], "rows": [["李雷", 2]]}, {"columns": ["联系人", "n"], "rows": [["[NAME]", 2]]}),
        ({"13812345678": [{"text": "a@b.cn"}]}, {"[PHONE]": [{"text": "[MAIL]"}]}),
        ([math.nan, math.inf, None, True, 1], [None, None, None, True, 1]),
        ((dt.date(2026, 12, 1),), ["2026-12-01"]),
        ("\ud800", "?"),
    ],
)  # fmt: skip
def test_values_are_masked_throughout(value: Any, masked: Any) -> None:
    assert mask(value) == masked
