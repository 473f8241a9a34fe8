"""The measures of Workdesk, in the order that reports show them."""

from __future__ import annotations

from mindatlas.evals.measures.workdesk_clock import RIGHT_CLOCK
from mindatlas.evals.measures.workdesk_figures import FIGURES_IN_ANSWER, FIGURES_IN_ROWS, RIGHT_FIGURES
from mindatlas.evals.measures.workdesk_outcome import ASKING_CORRECTNESS, REFUSAL_CORRECTNESS
from mindatlas.evals.measures.workdesk_repairs import FALSE_ALARMS, FAULT_CAUGHT

MEASURES = (
    RIGHT_FIGURES,
    FIGURES_IN_ROWS,
    FIGURES_IN_ANSWER,
    RIGHT_CLOCK,
    ASKING_CORRECTNESS,
    REFUSAL_CORRECTNESS,
    FAULT_CAUGHT,
    FALSE_ALARMS,
)
