"""What there is to hold, eat and look at, and how things look."""

from __future__ import annotations

from readhead.data.grammar.concept import Tree, grow
from readhead.data.grammar.english import plural, words

FOOD = grow(
    "food",
    """
    fruit
        apple, pear, plum, peach, cherry, lemon, mango, melon, banana, apricot, fig
    vegetable
        carrot, potato, onion, cabbage, turnip, leek, radish, cucumber, pumpkin
    pastry
        croissant, muffin, doughnut, waffle, pancake
    """,
    plural=plural,
)
OBJECTS = grow(
    "object",
    """
    tool
        hammer, saw, drill, chisel, wrench, screwdriver, axe, shovel, rake
    musical instrument
        violin, flute, trumpet, drum, guitar, cello, harp, banjo, accordion
    container
        basket, box, bucket, jar, barrel, vase, bag
            backpack, handbag
    toy
        doll, kite, puppet, marble, teddy bear
    book
        novel, dictionary, atlas, cookbook, diary
    jewel
        diamond, ruby, emerald, sapphire, pearl
    device
        camera, telephone, radio, laptop, telescope, microscope
    garment
        scarf, skirt, sweater, shoe
            boot, sandal, slipper
    flower
        rose, tulip, lily, orchid, daffodil
    weapon
        sword, dagger, spear, bow
    """,
    plural=plural,
)
COLOURS = grow(
    "colour",
    """
    red
        crimson, scarlet
    blue
        turquoise
    green, yellow, purple, pink, brown, black, white
    """,
)
SIZES = grow("size", "big\n huge, gigantic\nsmall\n tiny")
LOOKS: tuple[Tree, ...] = (
    SIZES,
    grow("wear", "new, old"),
    grow("price", "cheap, expensive"),
    grow("cleanness", "clean\n spotless\ndirty\n filthy"),
    grow("weight", "heavy, light"),
)
FOOD_LOOKS: tuple[Tree, ...] = (
    SIZES,
    grow("freshness", "fresh, stale"),
    grow("temperature", "hot, warm, cold\n frozen"),
    grow("taste", "sweet, sour, bitter"),
)

VEHICLES = words("taxi tractor bus truck ferry kayak tram scooter limousine caravan ambulance")
FURNITURE = words("piano wardrobe armchair bench bookcase sofa bathtub cradle desk footstool")
BUILDINGS = words(
    """
    church bakery library museum school hospital bridge castle fountain statue tower lighthouse windmill
    station theatre stadium harbour chapel
    """
)
