"""Where things stand in the pictures, in pixels, and what they carry."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from readhead.explain.links import Link
from readhead.explain.svg.arcs import across, within
from readhead.explain.svg.associations import associations
from readhead.explain.svg.attribution import attribution, signed
from readhead.explain.svg.boxes import TALL
from readhead.explain.svg.canvas import element, escaped, number, shade, share, standalone
from readhead.explain.svg.flow import GAP, Spot, flowed
from readhead.explain.svg.grid import grid
from readhead.explain.svg.lettering import cut, printed, width_of
from readhead.explain.svg.reading import Steps, reading
from readhead.explain.svg.scores import scores
from readhead.explain.svg.surprisal import surprisal

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"(-?[\d.]+)"


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def having(picture: str, name: str, **attributes: str) -> list[ET.Element]:
    """The elements of a kind with these attributes."""
    wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    found = parsed(picture).iter(f"{SVG}{name}")
    return [part for part in found if all(part.get(key) == value for key, value in wanted.items())]


@pytest.mark.parametrize(
    ("value", "told"), [(12.0, "12"), (0.5, ".5"), (-0.5, "-.5"), (-0.01, "0"), (3.14, "3.1"), (-12.25, "-12.2")]
)
def test_a_coordinate_is_short(value: float, told: str) -> None:
    assert number(value) == told


def test_a_share_is_an_opacity() -> None:
    assert [share(value) for value in (-1, 0, 0.5, 0.625, 1, 2)] == ["0", "0", ".5", ".62", "1", "1"]
    assert [shade(value) for value in (0, 1)] == [".04", ".84"], "letters can be read on both"


def test_an_element_escapes_what_it_is_given() -> None:
    assert element("g", data_to='"<&>', class_=None, x=2) == '<g data-to="&quot;&lt;&amp;&gt;" x="2"/>'
    assert escaped("\ufffe\x00\ud800") == "\ufffd␀\ufffd", "what XML forbids"


def test_words_flow_from_line_to_line() -> None:
    assert flowed([40, 40, 40, 200], 90) == [
        Spot(0, 0, 40),
        Spot(0, 40 + GAP, 40),
        Spot(1, 0, 40),
        Spot(2, 0, 200),  # wider than a line: it has one of its own
    ]
    assert flowed([], 90) == []


def test_letters_have_widths() -> None:
    assert width_of("il", 100) == pytest.approx(56)
    assert width_of("电", 100) == pytest.approx(124), "two cells"
    assert printed("\n") == "␠" and printed("x" * 99) == "x" * 21 + "…"
    assert width_of(cut("word " * 99, 100)) <= 100 and cut("word", 100) == "word"


def test_an_arc_is_as_thick_as_its_weight_and_higher_the_farther_it_goes() -> None:
    picture = within(["one", "two", "three"], [Link(1, 0, 0.25), Link(2, 0, 1.0)], width=400, label="x")
    near, far = having(picture, "path")
    assert float(near.attrib["stroke-width"]) == pytest.approx(0.8 + 5.2 * 0.25, abs=0.05)
    assert float(far.attrib["stroke-width"]) == 6
    assert (near.attrib["data-c"], far.attrib["data-c"]) == ("0", "0")
    tops = [float(re.findall(f"C{NUMBER} {NUMBER}", path.attrib["d"])[0][1]) for path in (near, far)]
    assert tops[1] < tops[0], "up is less"
    words = having(picture, "g", role="option")
    boxes = [word.find(f"{SVG}rect") for word in words]
    assert all(box is not None for box in boxes)
    middles = [float(box.attrib["x"]) + float(box.attrib["width"]) / 2 for box in boxes if box is not None]
    start, end = (
        re.findall(f"M{NUMBER}", near.attrib["d"])[0],
        re.findall(f"{NUMBER} {NUMBER}$", near.attrib["d"])[0][0],
    )
    assert float(start) == pytest.approx(middles[1], abs=5) and float(end) == pytest.approx(middles[0], abs=5)
    assert [word.attrib["aria-label"] for word in words] == ["one: no strong link", "two: one .25", "three: one 1.0"]


def test_an_arc_to_another_line_goes_from_edge_to_edge() -> None:
    picture = within(["first"] * 4, [Link(3, 0, 0.5)], width=110, label="x")
    (path,) = having(picture, "path")
    tops = sorted({float(box.attrib["y"]) for box in having(picture, "rect")})
    assert len(tops) == 2
    (_, start), *_, (_, end) = re.findall(f"{NUMBER} {NUMBER}", path.attrib["d"])
    assert (float(start), float(end)) == (pytest.approx(tops[1], abs=0.1), pytest.approx(tops[0] + TALL, abs=0.1))


def test_a_word_that_looks_at_itself_has_a_loop() -> None:
    (path,) = having(within(["a"], [Link(0, 0, 0.5)], width=90, label="x"), "path")
    start, end = (
        re.findall(f"M{NUMBER}", path.attrib["d"])[0],
        re.findall(f"{NUMBER} {NUMBER}$", path.attrib["d"])[0][0],
    )
    assert float(end) - float(start) == pytest.approx(10, abs=0.2)


def test_two_texts_stand_one_below_the_other() -> None:
    picture = across(["a", "b"], ["c"], [Link(1, 0, 0.5)], names=("p", "h"), width=200, label="x")
    assert [word.get("aria-label") for word in having(picture, "g", role="option")] == ["a: no strong link", "b: c .50"]
    (below,) = having(picture, "g", class_="word", data_c="0")
    (path,) = having(picture, "path")
    box = below.find(f"{SVG}rect")
    assert box is not None and path.attrib["d"].endswith(f" {box.attrib['y']}")


def test_a_cell_is_as_blue_as_its_weight() -> None:
    picture = grid(["two", "dogs"], ["bark"], np.array([[0.04], [1.0]]), label="x")
    cells = having(picture, "g", role="gridcell")
    grounds = [cell.find(f"{SVG}rect") for cell in cells]
    assert [ground.attrib["fill-opacity"] for ground in grounds if ground is not None] == [shade(0.04), ".84"]
    assert [[text.text for text in cell.iter(f"{SVG}text")] for cell in cells] == [[], ["1.0"]]
    assert [cell.attrib["aria-label"] for cell in cells] == ["two → bark: 0.04", "dogs → bark: 1.00"]
    assert [len(having(picture, "g", role=role)) for role in ("row", "rowheader", "columnheader")] == [3, 2, 1]


def test_a_reading_carries_its_steps() -> None:
    weights = np.array([[0.0, 0.0], [0.25, 0.0]])
    steps = Steps.of(weights, np.array([[2.0, 0.0], [2.0, 4.0]]), ["one", "two"])
    picture = reading(["a", "b"], None, steps, step=1, width=200, label="x")
    first, second = having(picture, "g")
    assert first.attrib | {} == {
        "class": "word", "data-c": "0", "data-w": "0", "data-told": "one", "data-z": "", "data-m": "0:50",
    }  # fmt: skip
    assert (second.attrib["class"], second.attrib["data-z"], second.attrib["data-m"]) == ("word now", "0:25", "1:100")
    heat, level = (having(picture, "rect", class_=kind)[0] for kind in ("heat", "level"))
    assert heat.attrib["fill-opacity"] == shade(0.5), "the square root of a quarter"
    assert level.attrib["height"] == "7"
    earlier = reading(["a", "b"], None, steps, step=0, width=200, label="x")
    assert [word.attrib["class"] for word in having(earlier, "g")] == ["word now", "word ahead"]


def test_a_reading_of_another_texts_memory_has_two_blocks() -> None:
    steps = Steps.of(np.array([[0.5, 0.5]]), np.ones((1, 2)), ["one"])
    picture = reading(["h"], ["p", "q"], steps, step=0, width=200, label="x")
    assert [sorted(set(word.attrib) & {"data-w", "data-c"}) for word in having(picture, "g")] == [
        ["data-w"],
        ["data-c"],
        ["data-c"],
    ]


def test_an_association_points_at_its_slot() -> None:
    picture = associations(["red", "dog"], [Link(0, 1, 1.0)], width=400, label="x")
    (arrow,), (head,) = having(picture, "path", class_="arrow"), having(picture, "path", class_="arrowhead")
    dog, red = (float(box.attrib["x"]) for box in having(picture, "rect", class_="cell"))
    assert dog < red, "the slot stands on the left"
    tip = float(re.findall(f"M{NUMBER}", head.attrib["d"])[0])
    start = float(re.findall(f"M{NUMBER}", arrow.attrib["d"])[0])
    assert dog < tip < start == red


def test_shares_of_either_sign_are_told_apart_without_colour() -> None:
    picture = attribution({"text": (["good", "dull", "the"], np.array([1.0, -0.5, 0.01]))}, width=300, label="x")
    kinds = [(box.attrib["class"], box.attrib["fill-opacity"]) for box in having(picture, "rect")]
    assert kinds == [("for", shade(1)), ("against", shade(0.5)), ("for", shade(0.01))]
    assert len(having(picture, "path", class_="minus")) == 1
    assert [text.text for text in having(picture, "text", class_="small")] == ["+1.0", "−.50"]
    assert [signed(value) for value in (0.0, -0.994, 0.999, -12.34)] == ["+.00", "−.99", "+1.0", "−12.3"]


def test_bars_are_as_long_as_scores_and_as_high_as_surprisal() -> None:
    likely, unlikely = having(scores({"yes": 1.0, "no": 0.25}, "yes", width=300, label="x"), "rect", class_="level")
    assert float(unlikely.attrib["width"]) == pytest.approx(float(likely.attrib["width"]) / 4, abs=0.1)
    bars = having(surprisal(["⊢", "a", "b"], [2.0, 4.0], width=300, label="x"), "rect", class_="level")
    assert [float(bar.attrib["height"]) for bar in bars] == [32.5, 64.5]


def test_a_file_of_its_own_needs_no_variables() -> None:
    alone = standalone(grid(["a"], ["b"], np.ones((1, 1)), label="x"))
    assert alone.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg')
    assert "var(" not in alone and ".readhead .cell, .readhead .heat { fill: #1f6feb; }" in alone
    assert parsed(alone.partition("\n")[2]).attrib["class"] == "readhead picture grid"
