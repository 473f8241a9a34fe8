"""Assertions: what must hold of a result, from user, writer and operation, checked with exact differences."""

from mindatlas.nodes.atlassplit.parts.assertions.assertion import (
    KINDS,
    Assertion,
    AssertionKind,
    Checked,
    Source,
    Tolerance,
)
from mindatlas.nodes.atlassplit.parts.assertions.assertion_dicts import Proposal, from_dicts, from_proposal
from mindatlas.nodes.atlassplit.parts.assertions.checks import check, check_agreement
from mindatlas.nodes.atlassplit.parts.assertions.feedback import feedback
from mindatlas.nodes.atlassplit.parts.assertions.yaml_file import read_assertion_file

__all__ = [
    "KINDS",
    "Assertion",
    "AssertionKind",
    "Checked",
    "Proposal",
    "Source",
    "Tolerance",
    "check",
    "check_agreement",
    "feedback",
    "from_dicts",
    "from_proposal",
    "read_assertion_file",
]
