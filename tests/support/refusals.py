"""What a call is refused with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mjscore.refusal import Refusal, Refused


def refusal_of(call: Callable[..., object], *given: object, **named: object) -> Refusal:
    """The refusal that a call ends with."""
    __tracebackhide__ = True
    with pytest.raises(Refused) as refused:
        call(*given, **named)
    return refused.value.refusal
