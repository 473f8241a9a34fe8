"""Error migration: which kinds of failure turn into which, how often a repair brings a new one, and what causes it."""

from mindatlas.evals.migrations.audit_stream import AuditStream
from mindatlas.evals.migrations.comparison import compare_tallies
from mindatlas.evals.migrations.repairs import Repair, repairs_in
from mindatlas.evals.migrations.summary import summarise
from mindatlas.evals.migrations.tally import Tally, tally_of

__all__ = ["AuditStream", "Repair", "Tally", "compare_tallies", "repairs_in", "summarise", "tally_of"]
