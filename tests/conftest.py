"""What all tests share: how thoroughly hypothesis looks."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# "ci" finds the same things on every run; "search" looks further: HYPOTHESIS_PROFILE=search python -m pytest
settings.register_profile(
    "ci", deadline=None, derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
