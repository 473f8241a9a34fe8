"""What a question is about, without the words that only ask."""

from __future__ import annotations

import re

from mindatlas.nodes.text import char_ngrams, fold, is_cjk

_FILLER_ZH = re.compile(
    "谢谢你|谢谢|多谢|拜托|可以吗|行吗|好吗|请问|请|麻烦|帮我|帮忙|给我|告诉我|我们|咱们|我|你们|你|您好|你好|您|大家|想问一下|想知道|想要|想|打算|准备|计划|"
    "有没有什么|有没有|有什么|有啥|有哪些|有几个|哪些|哪里|哪儿|哪个|哪家|哪种|哪|什么样|什么时候|为什么|什么|啥|"
    "怎么办|怎么样|怎样|怎么|如何|多少钱|多少|多大|多长时间|多长|多久|多远|几点|几个|几天|几月份|几月|是不是|能不能|可不可以|要不要|会不会|好不好|"
    "推荐一下|推荐|介绍一下|介绍|适合|值得|可以|能够|能|应该|需要|要|还有|还|也|都|就|才|又|再|最|比较|更|很|非常|特别|真的|"
    "一下|一些|一个|一家|一点|这个|那个|这些|那些|这里|那里|这次|上次|以及|或者|或|还是|和|跟|与|在|到|去|从|往|对|把|被|让|给|"
    "吗|呢|吧|啊|呀|嘛|么|了|的|地方|着|是|有|没有|没|不|其他|其它|别的|另外|除了|之外|以外|除|觉得|知道|看看|玩|"
    "找个|找|预订|订|提供|就够|够|逛逛|逛|好的|好玩|比如|如果|时候|东西|事情|问题|左右|附近|周边"
)
_FILLER_EN = frozenset(
    "a an the is are was were be been do does did can could should would will may i we you they it he she me us my our your "
    "their its this that these those there here what which who whom whose when where why how much many long far any some "
    "of in on at to for from by with about into over near nearby around and or but not no so if than then as also too "
    "please tell know want like need get go going take best good great nice recommend suggest find looking look place "
    "places thing things something anything else other another more most very really just have has had s t m re d ll".split()
)


def content_terms(question: str) -> tuple[str, ...]:
    """Return what a question is about: the bigrams of its Chinese runs without filler, and its Latin words.

    A run of one character is kept whole. Order of first appearance, no repeats.
    """
    terms: list[str] = []
    for piece in _FILLER_ZH.split(fold(question)):
        grams = char_ngrams(piece, (2,))
        if not grams and is_cjk(piece):
            grams = char_ngrams(piece, (1,))
        terms.extend(gram for gram in grams if gram not in _FILLER_EN)
    return tuple(dict.fromkeys(terms))
