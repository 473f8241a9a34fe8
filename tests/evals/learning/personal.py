"""Personal data made up for tests: how it is written, and the part of it that must never be found again."""

from __future__ import annotations

from hypothesis import strategies as st

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def id_card(body: str) -> str:
    """Return an ID number: 17 digits and their check digit, which makes the weighted sum 1 modulo 11."""
    total = sum(int(digit) * weight for digit, weight in zip(body, _WEIGHTS, strict=True))
    check = next(value for value in range(11) if (total + value) % 11 == 1)
    return body + ("X" if check == 10 else str(check))


def card(body: str) -> str:
    """Return a card number: `body` and the digit with which Luhn's sum is divisible by ten."""
    for check in "0123456789":
        digits = [int(digit) for digit in body + check]
        odd, even = digits[-1::-2], digits[-2::-2]
        if (sum(odd) + sum(sum(divmod(2 * digit, 10)) for digit in even)) % 10 == 0:
            return body + check
    raise AssertionError(body)


_digits = st.text("0123456789", min_size=8, max_size=8)
_gap = st.sampled_from(["", " ", "-"])
_mobiles = st.builds(
    lambda second, rest, gap: (f"1{second}{rest[0]}{gap}{rest[1:5]}{gap}{rest[5:]}1", f"{rest[1:5]}{gap}{rest[5:]}1"),
    st.sampled_from("3456789"), _digits, _gap,
)  # fmt: skip
_landlines = st.builds(
    lambda area, rest, gap: (f"{area}{gap}{rest}", rest),
    st.sampled_from(["0898", "010", "021"]),
    _digits,
    _gap,
)
_ids = st.integers(10**16, 10**17 - 1).map(lambda number: (id_card(str(number)),) * 2)
_cards = st.integers(6 * 10**14, 7 * 10**14 - 1).map(lambda number: (card(str(number)),) * 2)
_mails = st.from_regex(r"[a-z][a-z0-9._]{2,10}[a-z]@[a-z]{2,8}\.(com|cn|com\.cn)", fullmatch=True).map(
    lambda mail: (mail, mail)
)
_plates = st.from_regex(r"[琼粤京沪][A-HJ-NP-Z][·]?[A-HJ-NP-Z0-9]{5}", fullmatch=True).map(
    lambda plate: (plate, plate)
)
_chinese = st.text("娜婷燊喆伟强", min_size=2, max_size=3).map(lambda given: f"瞿{given}")
_names = st.builds(
    lambda label, name: (f"{label}{name}", name),
    st.sampled_from(["姓名：", "联系人:", "联系人：", "姓名: ", "Name: ", "客户姓名："]),
    _chinese | st.sampled_from(["Zbigniew Qvist", "Xanthe"]),
)

PLANTED = st.one_of(_mobiles, _landlines, _ids, _cards, _mails, _plates, _names)
