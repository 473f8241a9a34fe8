"""The overlays compared with the servers as they are now: what `mindatlas desk --check-overlays` tells.

Each tool's overlay stores the hash of the schema that it was written for. To take over a changed schema, look
through the findings, then put the two lines that the report prints under `accept` into the overlay file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import yaml

from mindatlas.nodes.workdesk.parts.overlay_findings import Finding, FindingKind, has_changed, tool_findings
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.overlays import shipped_servers
from mindatlas.nodes.workdesk.parts.schema_shapes import schema_hash, shapes_of
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

DRIFT_EXIT_CODE = 1


@dataclass(frozen=True, kw_only=True)
class Accept:
    """What to write into an overlay once its findings are settled: the schema as it is now."""

    server: str
    tool: str
    schema_sha256: str
    written_for: Mapping[str, str]

    def as_yaml(self) -> str:
        """Return the two lines, indented for their place in the file."""
        shapes = yaml.safe_dump(
            dict(self.written_for), default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6
        )
        return f"    schema_sha256: {self.schema_sha256}\n    written_for: {shapes.strip()}"


@dataclass(frozen=True, kw_only=True)
class DriftReport:
    """How the overlays differ from the servers; `checked` counts the tools that have an overlay and are there."""

    findings: tuple[Finding, ...]
    accept: tuple[Accept, ...]
    checked: int

    @property
    def drifted(self) -> bool:
        """Whether something that an overlay says has become wrong."""
        return any(finding.drift for finding in self.findings)

    @property
    def exit_code(self) -> int:
        """What the command ends with: 1 on drift, else 0."""
        return DRIFT_EXIT_CODE if self.drifted else 0

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON-like values."""
        return {
            "drifted": self.drifted,
            "checked": self.checked,
            "findings": [{**asdict(finding), "drift": finding.drift} for finding in self.findings],
            "accept": [asdict(one) for one in self.accept],
        }

    def as_text(self) -> str:
        """Return the report for a terminal: drift first, then notes, then what to write to accept it."""
        drift = [_line(finding) for finding in self.findings if finding.drift]
        notes = [_line(finding) for finding in self.findings if not finding.drift]
        head = f"{self.checked} tools checked: " + (f"{len(drift)} fit no longer" if drift else "no drift")
        accept = [f"accept {one.server}.{one.tool}:\n{one.as_yaml()}" for one in self.accept]
        return "\n".join([head, *drift, *notes, *accept])


def check_overlays(cards: Iterable[ToolCard], overlays: Mapping[str, ServerOverlay]) -> DriftReport:
    """Return how `overlays` differ from the tools as their servers describe them now.

    New tools, tools whose overlay has no hash, and the shipped overlay of a server that is not connected are told
    as notes; they are no drift.
    """
    tools = [card.tool for card in cards]
    findings: list[Finding] = []
    accept: list[Accept] = []
    checked = 0
    for server, overlay in sorted(overlays.items()):
        there = {_native(tool): tool for tool in tools if tool.server == server}
        if not there:
            findings.append(_absent(server, overlay))
            continue
        names = {name for tool in tools for name in (tool.name, _native(tool))}
        for name, known in overlay.tools.items():
            if name not in there:
                findings.append(
                    _finding(server, name, "removed_tool", "the server has no such tool any longer")
                )
                continue
            checked += 1
            findings += tool_findings(there[name], known, names)
            if not known.schema_sha256:
                findings.append(
                    _finding(server, name, "no_hash", "changes of the schema go unseen: write its hash")
                )
            if not known.schema_sha256 or has_changed(there[name], known):
                accept.append(_accept(there[name]))
        findings += [
            _finding(server, name, "new_tool", "the server offers it, and the overlay says nothing of it")
            for name in there
            if name not in overlay.tools
        ]
    return DriftReport(findings=tuple(findings), accept=tuple(accept), checked=checked)


def _native(tool: ServerTool) -> str:
    """Return the server's own name of a tool; where two servers offer one name, the later is called otherwise."""
    return tool.native or tool.name.removeprefix(f"{tool.server}__")


def _absent(server: str, overlay: ServerOverlay) -> Finding:
    if shipped_servers().get(server) == overlay:
        return _finding(
            server, "", "not_connected", "no such server is configured; its shipped overlay is not used"
        )
    return _finding(
        server, "", "unknown_server", "no such server is configured, so this overlay applies to nothing"
    )


def _finding(server: str, tool: str, kind: FindingKind, message: str) -> Finding:
    return Finding(server=server, tool=tool, kind=kind, field="", message=message)


def _accept(tool: ServerTool) -> Accept:
    return Accept(
        server=tool.server,
        tool=tool.name,
        schema_sha256=schema_hash(tool.input_schema),
        written_for={name: str(shape) for name, shape in shapes_of(tool.input_schema).items()},
    )


def _line(finding: Finding) -> str:
    place = ".".join(filter(None, (finding.server, finding.tool, finding.field)))
    return f"{'drift' if finding.drift else 'note'}: {finding.kind}: {place}: {finding.message}"
