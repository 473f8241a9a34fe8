"""Release: an error data set without customers, made from audit logs, checked before anything is written."""

from mindatlas.evals.release.publication import Outcome, make_release
from mindatlas.evals.release.reclassify import type_of_record
from mindatlas.evals.release.records import records_of

__all__ = ["Outcome", "make_release", "records_of", "type_of_record"]
