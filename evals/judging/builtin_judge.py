"""The judge without a model: measures of overlap and of named subjects. It sees form, not meaning.

faithfulness: the measure of that name (claims whose cited passage holds their words and numbers / claims).
completeness: the mean of (a) the share of the reference's character bigrams and words that stand in the answer and
    (b) of the expected subjects that the reference names, the share that the answer names; (a) alone where it names
    none. An answer in other words scores low: that is where a model judge differs most.
relevance: the share of the answer's claims that name an expected subject, or cite a passage about one.

Each is undefined where it has nothing to count: no claim, no reference, no expected subject.
"""

from __future__ import annotations

from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.judging.judge import Answer, Judged, Metric
from mindatlas.evals.measures.mindtrip_claims import WrittenClaim, claims_of
from mindatlas.evals.measures.mindtrip_faithfulness import FAITHFULNESS
from mindatlas.nodes.text import char_ngrams, fold

VERSION = 1  # raised whenever a formula above changes


class BuiltinJudge:
    """Judges by rules: free, offline, the same every time."""

    def judge(self, metric: Metric, answer: Answer) -> Judged:
        """Return the value of `metric`, or why it is not defined."""
        if metric == "faithfulness":
            return _faithfulness(answer)
        return _completeness(answer) if metric == "completeness" else _relevance(answer)

    def identity(self) -> dict[str, Any]:
        """Return the versions of the rules."""
        return {"judge": "builtin", "version": VERSION, "faithfulness": FAITHFULNESS.version}


def _faithfulness(answer: Answer) -> Judged:
    case = Case(id=answer.id, query=answer.question, case_type="judged")
    output = {"answer": answer.answer, "passages": list(answer.passages), "stop_reason": "answered"}
    scored = FAITHFULNESS.score(case, output)
    return Judged(value=scored.value, reason=scored.reason)


def _completeness(answer: Answer) -> Judged:
    if not answer.reference:
        return Judged(value=None, reason="there is no reference answer")
    said = fold(answer.answer)
    grams = set(char_ngrams(fold(answer.reference), (2,)))
    shares = [sum(gram in said for gram in grams) / len(grams)] if grams else []
    if named := [name for name in answer.expected_entities if name in answer.reference]:
        shares.append(sum(fold(name) in said for name in named) / len(named))
    if not shares:
        return Judged(value=None, reason="the reference answer is too short")
    return Judged(value=sum(shares) / len(shares))


def _relevance(answer: Answer) -> Judged:
    claims = claims_of(answer.answer)
    if not answer.expected_entities or not claims:
        missing = "claim in the answer" if answer.expected_entities else "expected subject"
        return Judged(value=None, reason=f"there is no {missing}")
    subjects = {passage["id"]: passage.get("entity") for passage in answer.passages}
    return Judged(value=sum(_is_about(claim, answer, subjects) for claim in claims) / len(claims))


def _is_about(claim: WrittenClaim, answer: Answer, subjects: dict[Any, Any]) -> bool:
    named = any(name in claim.text for name in answer.expected_entities)
    return named or subjects.get(claim.passage_id) in answer.expected_entities
