"""Faithfulness: the share of the answer's claims that the cited passage supports.

A claim is supported when (1) it cites a passage that was used, (2) every number in it stands in that passage or in
the question, and (3) at least 80 % of its character bigrams and words stand in that passage, its title, its subject
or the question. faithfulness = supported claims / claims.

Range [0, 1], higher is better. Undefined for a refusal: it claims nothing. This is a check of form: a claim that
rearranges a passage's own words into something false passes it; a judge is needed to see that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value
from mindatlas.evals.measures.mindtrip_claims import WrittenClaim, claims_of, is_refusal
from mindatlas.nodes.text import char_ngrams, fold

LEAST_COVERED = 0.8
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def faithfulness(case: Case, output: Output) -> Scored:
    """Return the share of supported claims."""
    if is_refusal(output["stop_reason"]):
        return undefined("a refusal claims nothing")
    claims = claims_of(output["answer"])
    if not claims:
        return undefined("the answer makes no claim")
    passages = {passage["id"]: passage for passage in output["passages"]}
    return value(sum(_supported(claim, passages, case.query) for claim in claims) / len(claims))


def _supported(claim: WrittenClaim, passages: Mapping[str, Mapping[str, Any]], question: str) -> bool:
    passage = passages.get(claim.passage_id or "")
    if passage is None:
        return False
    known = fold(" ".join((passage["title"], passage["entity"], passage["text"], question)))
    text = fold(claim.text)
    grams = set(char_ngrams(text, (2,)))
    covered = sum(gram in known for gram in grams) / len(grams) if grams else 1.0
    return covered >= LEAST_COVERED and set(_NUMBER.findall(text)) <= set(_NUMBER.findall(known))


FAITHFULNESS = Measure(name="faithfulness", version=1, direction="higher", score=faithfulness)
