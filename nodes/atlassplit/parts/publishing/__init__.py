"""Publishing: a result as a new workbook, the audit log of its run, and a script that makes it again."""

from mindatlas.nodes.atlassplit.parts.publishing.audit import (
    AuditLine,
    AuditReader,
    append_audit,
    read_audit,
)
from mindatlas.nodes.atlassplit.parts.publishing.masking import Masker
from mindatlas.nodes.atlassplit.parts.publishing.publication import Published, publish, publish_files
from mindatlas.nodes.atlassplit.parts.publishing.script import write_script
from mindatlas.nodes.atlassplit.parts.publishing.templates import Template

__all__ = [
    "AuditLine",
    "AuditReader",
    "Masker",
    "Published",
    "Template",
    "append_audit",
    "publish",
    "publish_files",
    "read_audit",
    "write_script",
]
