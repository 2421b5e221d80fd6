"""What bipeds do once, as a few key stances each; time runs from 0 to 1."""

from __future__ import annotations

from .stance import Numbers, Stance

Keys = dict[float, Stance]
"""Time → stance, in the order of time."""

READY = Stance(hips=(0.0, 0.0, -0.015))

_WINGS = (30.0, 40.0, 25.0, 0.0)


def _alike(**values: Numbers) -> Stance:
    """A stance with the same ``arms``, ``feet`` or ``legs`` on both sides."""
    for one, both in (("arm", "arms"), ("foot", "feet"), ("leg", "legs")):
        if both in values:
            values[f"{one}_left"] = values[f"{one}_right"] = values.pop(both)
    return Stance(**values)


JUMP: Keys = {
    0.0: READY,
    0.28: _alike(
        hips=(0.0, -0.06, -0.34),
        turned=(24.0, 0.0, 0.0),
        bend=(16.0, 0.0, 0.0),
        head=(-22.0, 0.0, 0.0),
        arms=(-48.0, 14.0, 12.0, 0.0),
    ),
    0.42: _alike(hips=(0.0, 0.0, 0.12), arms=(120.0, 18.0, 14.0, 0.0), feet=(0.0, 0.0, 0.02, -40.0)),
    0.58: _alike(
        hips=(0.0, 0.0, 0.62),
        turned=(8.0, 0.0, 0.0),
        bend=(6.0, 0.0, 0.0),
        arms=(95.0, 30.0, 20.0, 0.0),
        feet=(0.0, 0.0, 0.8, -25.0),
    ),
    0.74: _alike(hips=(0.0, 0.0, 0.02), arms=_WINGS, feet=(0.0, 0.05, 0.03, -10.0)),
    0.84: _alike(
        hips=(0.0, -0.04, -0.26), turned=(18.0, 0.0, 0.0), bend=(10.0, 0.0, 0.0), head=(-14.0, 0.0, 0.0), arms=_WINGS
    ),
    1.0: READY,
}

_STRIDE = {"foot_left": (0.0, 0.22, 0.0, 0.0), "foot_right": (0.04, -0.22, 0.0, 0.0)}

SLASH: Keys = {
    0.0: READY,
    0.35: Stance(
        hips=(0.0, -0.04, -0.08),
        turned=(-2.0, 0.0, -18.0),
        bend=(-6.0, -6.0, -32.0),
        head=(4.0, 0.0, 34.0),
        arm_right=(150.0, 40.0, 70.0, 0.0),
        arm_left=(35.0, 25.0, 40.0, 20.0),
        **_STRIDE,
    ),
    0.52: Stance(
        hips=(0.0, 0.1, -0.14),
        turned=(10.0, 0.0, 14.0),
        bend=(16.0, 8.0, 34.0),
        head=(-12.0, 0.0, -30.0),
        arm_right=(55.0, -25.0, 14.0, 20.0),
        arm_left=(-30.0, 30.0, 30.0, 0.0),
        **_STRIDE,
    ),
    0.66: Stance(
        hips=(0.0, 0.1, -0.16),
        turned=(12.0, 0.0, 20.0),
        bend=(20.0, 10.0, 40.0),
        head=(-14.0, 0.0, -36.0),
        arm_right=(20.0, -30.0, 20.0, 30.0),
        arm_left=(-36.0, 30.0, 30.0, 0.0),
        **_STRIDE,
    ),
    1.0: READY,
}


def _aim(kick: float) -> Stance:
    return Stance(
        hips=(0.0, -0.03 - 0.02 * kick, -0.06),
        turned=(0.0, 0.0, -20.0),
        bend=(2.0 - 8.0 * kick, 0.0, -14.0),
        head=(2.0 - 3.0 * kick, 0.0, 30.0),
        arm_left=(82.0 + 8.0 * kick, -22.0, 24.0 + 14.0 * kick, 10.0),
        arm_right=(80.0 + 8.0 * kick, 12.0, 16.0 + 20.0 * kick, 24.0),
        **_STRIDE,
    )


SHOOT: Keys = {
    0.0: READY,
    0.25: _aim(0.0),
    0.4: _aim(0.0),
    0.45: _aim(1.0),
    0.55: _aim(0.0),
    0.6: _aim(1.0),
    0.72: _aim(0.0),
    1.0: READY,
}

HURT: Keys = {
    0.0: READY,
    0.22: Stance(
        hips=(0.02, -0.14, -0.1),
        turned=(-8.0, 4.0, 10.0),
        bend=(30.0, 6.0, 12.0),
        head=(24.0, 8.0, 10.0),
        arm_left=(42.0, 10.0, 95.0, 40.0),
        arm_right=(38.0, 10.0, 100.0, 42.0),
        foot_right=(0.04, -0.24, 0.0, 0.0),
    ),
    0.5: Stance(
        hips=(0.01, -0.1, -0.12),
        turned=(0.0, 2.0, 6.0),
        bend=(24.0, 3.0, 6.0),
        head=(14.0, 3.0, 4.0),
        arm_left=(38.0, 10.0, 92.0, 42.0),
        arm_right=(36.0, 10.0, 96.0, 42.0),
        foot_right=(0.04, -0.2, 0.0, 0.0),
    ),
    1.0: READY,
}

_LYING = {"loose": (1.0,), "down": (1.0,)}

FALL: Keys = {
    0.0: READY,
    0.25: Stance(
        hips=(0.0, -0.15, -0.1),
        turned=(-20.0, 4.0, 0.0),
        bend=(10.0, 0.0, 0.0),
        head=(10.0, 0.0, 0.0),
        arm_left=(60.0, 50.0, 30.0, 0.0),
        arm_right=(55.0, 55.0, 30.0, 0.0),
        foot_left=(0.0, 0.05, 0.04, 20.0),
    ),
    0.55: Stance(
        hips=(0.0, -0.6, -0.7),
        turned=(-62.0, 4.0, 0.0),
        bend=(14.0, 0.0, 0.0),
        head=(16.0, 0.0, 0.0),
        arm_left=(70.0, 60.0, 20.0, 0.0),
        arm_right=(66.0, 62.0, 20.0, 0.0),
        leg_left=(55.0, 50.0, 8.0),
        leg_right=(45.0, 40.0, 8.0),
        **_LYING,
    ),
    0.72: Stance(
        hips=(0.0, -0.75, -0.85),
        turned=(-90.0, 0.0, 0.0),
        arm_left=(10.0, 60.0, 10.0, 0.0),
        arm_right=(10.0, 65.0, 14.0, 0.0),
        leg_left=(14.0, 20.0, 12.0),
        leg_right=(24.0, 40.0, 12.0),
        **_LYING,
    ),
    1.0: Stance(
        hips=(0.0, -0.75, -0.87),
        turned=(-90.0, 0.0, 0.0),
        head=(0.0, 0.0, 14.0),
        arm_left=(4.0, 62.0, 6.0, 0.0),
        arm_right=(4.0, 68.0, 10.0, 0.0),
        leg_left=(2.0, 4.0, 12.0),
        leg_right=(12.0, 24.0, 12.0),
        **_LYING,
    ),
}

DIVE: Keys = {
    0.0: READY,
    0.22: _alike(
        hips=(0.0, 0.05, -0.34),
        turned=(30.0, 0.0, 0.0),
        bend=(18.0, 0.0, 0.0),
        head=(-28.0, 0.0, 0.0),
        arms=(-45.0, 14.0, 10.0, 0.0),
    ),
    0.42: _alike(
        hips=(0.0, 0.8, 0.05),
        turned=(70.0, 0.0, 0.0),
        head=(-24.0, 0.0, 0.0),
        arms=(165.0, 10.0, 6.0, 0.0),
        leg_left=(-6.0, 12.0, 4.0),
        leg_right=(-10.0, 20.0, 4.0),
        loose=(1.0,),
    ),
    0.62: _alike(
        hips=(0.0, 1.7, -0.45),
        turned=(92.0, 0.0, 0.0),
        head=(-30.0, 0.0, 0.0),
        arms=(160.0, 16.0, 20.0, 0.0),
        leg_left=(-14.0, 10.0, 6.0),
        leg_right=(-14.0, 14.0, 6.0),
        loose=(1.0,),
    ),
    0.76: _alike(
        hips=(0.0, 2.1, -0.85),
        turned=(90.0, 0.0, 0.0),
        head=(-18.0, 0.0, 0.0),
        arms=(150.0, 24.0, 30.0, 0.0),
        leg_left=(0.0, 8.0, 8.0),
        leg_right=(0.0, 12.0, 8.0),
        **_LYING,
    ),
    1.0: _alike(
        hips=(0.0, 2.25, -0.87),
        turned=(90.0, 0.0, 0.0),
        head=(-6.0, 0.0, 0.0),
        arms=(140.0, 26.0, 30.0, 0.0),
        legs=(0.0, 4.0, 8.0),
        **_LYING,
    ),
}
