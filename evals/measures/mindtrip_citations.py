"""Citation validity: the share of citations that hold.

A claim's citation holds when the passage it names was used and the citation's quote stands there word for word.
validity = claims with a holding citation / claims; a claim without a citation counts as one that does not hold.

Range [0, 1], higher is better. Undefined for a refusal: it cites nothing.
"""

from __future__ import annotations

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value
from mindatlas.evals.measures.mindtrip_claims import claims_of, is_refusal


def citation_validity(case: Case, output: Output) -> Scored:  # noqa: ARG001 every measure takes both
    """Return the share of the answer's claims whose citation holds."""
    if is_refusal(output["stop_reason"]):
        return undefined("a refusal cites nothing")
    claims = claims_of(output["answer"])
    if not claims:
        return undefined("the answer makes no claim")
    texts = {passage["id"]: passage["text"] for passage in output["passages"]}
    quoted = {
        citation["id"]
        for citation in output["citations"]
        if citation["quote"].strip() and citation["quote"] in texts.get(citation["id"], "")
    }
    return value(sum(claim.passage_id in quoted for claim in claims) / len(claims))


CITATION_VALIDITY = Measure(name="citation_validity", version=1, direction="higher", score=citation_validity)
