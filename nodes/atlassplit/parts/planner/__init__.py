"""The builtin code writer: reads a request by rules into a typed plan, and writes the plan as pandas code.

Narrow on purpose. Every word of a request must be understood by a rule; whatever is not, is ambiguous or is
not in the workbook ends in a refusal that names it.
"""

from mindatlas.nodes.atlassplit.parts.planner.conservation import conservation_assertions
from mindatlas.nodes.atlassplit.parts.planner.plan import Plan, Refusal
from mindatlas.nodes.atlassplit.parts.planner.plan_reader import read_plan
from mindatlas.nodes.atlassplit.parts.planner.plan_to_code import write_code

__all__ = ["Plan", "Refusal", "conservation_assertions", "read_plan", "write_code"]
