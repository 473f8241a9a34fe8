"""Statistics of the bench: rates, paired differences, repetitions, power, agreement. Each formula names its source."""

from mindatlas.evals.statistics.agreement import Kappa, cohen_kappa, rogan_gladen
from mindatlas.evals.statistics.interval import Interval
from mindatlas.evals.statistics.mcnemar import mcnemar_exact, mcnemar_mid_p
from mindatlas.evals.statistics.multiplicity import holm
from mindatlas.evals.statistics.non_inferiority import NonInferiority, Verdict, judge_non_inferiority
from mindatlas.evals.statistics.paired import PairedDifference, clustered_difference, paired_difference
from mindatlas.evals.statistics.power import (
    discordant_effect,
    discordant_sample_size,
    minimum_detectable_effect,
)
from mindatlas.evals.statistics.rates import wilson
from mindatlas.evals.statistics.repetitions import pass_at_k, pass_hat_k
from mindatlas.evals.statistics.resampling import MIN_RESAMPLES, bootstrap_interval, sign_flip_p

__all__ = [
    "MIN_RESAMPLES",
    "Interval",
    "Kappa",
    "NonInferiority",
    "PairedDifference",
    "Verdict",
    "bootstrap_interval",
    "clustered_difference",
    "cohen_kappa",
    "discordant_effect",
    "discordant_sample_size",
    "holm",
    "judge_non_inferiority",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "minimum_detectable_effect",
    "paired_difference",
    "pass_at_k",
    "pass_hat_k",
    "rogan_gladen",
    "sign_flip_p",
    "wilson",
]
