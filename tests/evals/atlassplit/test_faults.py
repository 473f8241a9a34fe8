from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mindatlas.evals.atlassplit.fault_mix import FaultMix, read_fault_mix
from mindatlas.evals.runners import open_runner
from mindatlas.nodes.errors import FileReadError, UsageError


def test_the_bundled_mix_has_the_reported_shares() -> None:
    mix = read_fault_mix("atlassplit")
    assert (mix.shares["E1"], mix.shares["E2"]) == (0.32, 0.21)
    assert sum(mix.shares[kind] for kind in ("E1", "E2", "E4")) == pytest.approx(0.55)


def test_the_draws_come_near_the_shares_and_depend_on_seed_and_id_alone() -> None:
    mix = FaultMix(faulty_share=0.5, shares={"E1": 0.75, "E3": 0.25})
    drawn = Counter(mix.model_for(f"case-{n}") for n in range(4000))
    assert set(drawn) == {"builtin", "faulty:1", "faulty:3"}
    assert drawn["builtin"] / 4000 == pytest.approx(0.5, abs=0.03)
    assert drawn["faulty:1"] / (4000 - drawn["builtin"]) == pytest.approx(0.75, abs=0.03)
    assert mix.model_for("case-1") == FaultMix(faulty_share=0.5, shares=mix.shares).model_for("case-1")
    other = FaultMix(faulty_share=0.5, shares=mix.shares, seed=1)
    assert any(mix.model_for(f"case-{n}") != other.model_for(f"case-{n}") for n in range(20))


def test_no_share_and_all_shares() -> None:
    assert FaultMix(faulty_share=0.0, shares={"E1": 1.0}).model_for("a") == "builtin"
    assert FaultMix(faulty_share=1.0, shares={"E2": 1.0}).model_for("a") == "faulty:2"


def test_a_mix_that_does_not_add_up_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mix.yaml"
    share = "{ share: 0.5, from: ours }"
    path.write_text(f"faulty_share: {share}\nfaults: {{ E1: {share} }}\n")
    with pytest.raises(UsageError, match=r"add up to 0\.5"):
        read_fault_mix(str(path))
    path.write_text(f"faulty_share: {share}\nfaults: {{ E9: {share} }}\n")
    with pytest.raises(FileReadError, match="no fault_mix"):
        read_fault_mix(str(path))
    with pytest.raises(UsageError, match="no fault mix 'other'"):
        read_fault_mix("other")


def test_faults_are_for_the_faulty_model_only() -> None:
    with pytest.raises(UsageError, match="needs the model 'faulty', not 'builtin'"):
        open_runner("atlassplit", {"model": "builtin", "faults": "atlassplit"})
