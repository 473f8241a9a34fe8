"""Names of persons that follow a label, and labels under which the whole value is a name."""

from __future__ import annotations

import re

Span = tuple[int, int, str]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_ZH_LABELS = r"姓名|名字|联系人|聯系人|聯絡人|收件人|收货人|寄件人|发件人|经办人|负责人|入住人|预订人|订票人|乘客|旅客|住客"
_EN_LABELS = r"(?:full |first |last |family |given |contact |customer |guest |passenger )?name|contact(?: person)?|attn|recipient"
# Words that follow a label without being a name.
_STOP = r"电话|手机|座机|号码|地址|邮箱|性别|年龄|身份|证件|微信|车牌|信息|方式|资料|怎么|如何|多少|什么|哪里|哪个|是谁|不对|错了|已经|没有"
# The hundred most frequent surnames and the compound ones (Ministry of Public Security, 2020 name report).
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆"
    "范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常符吉麦"
)
_COMPOUND = r"欧阳|上官|司马|诸葛|司徒|东方|皇甫|尉迟|公孙|慕容|令狐|夏侯|长孙|宇文"

_CHAR = rf"(?:(?!{_STOP})[{_HAN}])"
_ANY_ZH = rf"{_CHAR}{{1,6}}(?:[·•・]{_CHAR}{{1,10}})*"
_KNOWN_ZH = rf"(?:(?:{_COMPOUND}){_CHAR}{{1,2}}|[{_SURNAMES}]{_CHAR}{{1,2}})"
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏ"
_CAPITAL = rf"[A-ZÀ-ÖØ-Þ][{_LETTER}'’.\-]*"
_WORD = rf"[{_LETTER}][{_LETTER}'’\-]*"
_LATIN = rf"(?:{_CAPITAL}(?:[ \t]+{_CAPITAL}){{0,4}}|{_WORD}(?:[ \t]+{_WORD}){{0,2}})"
_MORE = r"(?:\s*(?:[、/&]|和|及|与|\band\b)\s*(?:{name}))*"

# Quotes and stars, as in JSON and Markdown, may close the label and open the name; a mask is no name.
_COLON = r"(?:[（(][^（()）\n]{0,8}[)）])?[\"'*_`”]*\s*+(?:[:=：＝|]|是[:：]|为[:：])[*_]*\s*+(?!\W*\[[A-Z]+\])[\"'“‘「『《<\[(（*_`]*+"
_RULES = (
    re.compile(rf"(?:{_ZH_LABELS}|(?i:\b(?:{_EN_LABELS}))){_COLON}({_ANY_ZH}{_MORE.format(name=_ANY_ZH)})"),
    re.compile(rf"(?:{_ZH_LABELS}|(?i:\b(?:{_EN_LABELS}))){_COLON}({_LATIN}{_MORE.format(name=_LATIN)})"),
    re.compile(rf"(?:{_ZH_LABELS})[ \t]*(?:[,，]|是|为|叫)?[ \t]*({_KNOWN_ZH})"),
    re.compile(rf"(?:{_ZH_LABELS})[ \t]*(?:是|为|叫)?[ \t]*({_CAPITAL}(?:[ \t]+{_CAPITAL}){{0,4}})"),
)
_LABEL = re.compile(rf"\s*(?:.{{0,4}}(?:{_ZH_LABELS})|(?i:{_EN_LABELS}))(?:[（(].*[)）])?\s*[:：]?\s*")


def name_spans(text: str) -> list[Span]:
    """Return the spans of names behind a label in `text`.

    Behind a colon any word is a name; without one only a frequent surname begins it: 联系人张三, not 联系人电话.
    """
    return [(*match.span(1), "NAME") for rule in _RULES for match in rule.finditer(text)]


def is_name_label(label: str) -> bool:
    """Return whether `label` (a key or a column) may say that its values are names of persons."""
    return _LABEL.fullmatch(label) is not None
