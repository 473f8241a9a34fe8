"""The kinds of failure that a repair is chosen by."""

from __future__ import annotations

from typing import Literal

# E0 anything else (syntax), E1 column, E2 type, E3 business logic (an assertion), E4 index or shape,
# E5 missing logic (no result, a missing part of it), E6 dependency or forbidden call, E7 too slow or too big.
ErrorType = Literal["E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7"]
