"""What goes on beside the matter: phrases and clauses that lengthen a sentence and decide nothing."""

from __future__ import annotations

from readhead.data.grammar.concept import Tree, grow

TIMES = grow(
    "time",
    "this morning, this evening, at noon, at midnight, on this cold winter day, on this warm summer night, "
    "today, at the moment, right now, on this rainy Sunday, before breakfast, after lunch, during the break",
    exclusive=False,
)
WEATHER = grow(
    "weather",
    "it is raining, it is snowing, the sun is shining, the wind is blowing, the fog is thick, "
    "the sky is cloudy, the thunder is rumbling",
    exclusive=False,
)
SIGHTS: tuple[tuple[str, Tree], ...] = tuple(
    (subject, grow(f"state of the {subject}", states, exclusive=False))
    for subject, states in (
        ("door", "open, locked, freshly painted, green"),
        ("window", "open, broken, dusty, wide and bright"),
        ("lamp", "lit, broken, very bright, old and rusty"),
        ("clock", "ticking, broken, late again, striking twelve"),
        ("stove", "hot, cold, rusty, covered with soot"),
        ("mirror", "broken, round, dusty, hidden under a sheet"),
        ("carpet", "soft, worn, very old, full of holes"),
        ("gate", "closed, rusty, open, black and tall"),
        ("candle", "burning, almost gone, white, very short"),
        ("bell", "ringing, silent, cracked, made of bronze"),
        ("roof", "leaking, red, steep, covered with moss"),
        ("ladder", "wooden, long, broken, much too short"),
        ("flag", "torn, waving, striped, red and white"),
        ("stairs", "steep, narrow, slippery, made of stone"),
    )
)
