"""What beings do (in the progressive), how, and where."""

from __future__ import annotations

from readhead.data.grammar.concept import Concept, Tree, grow
from readhead.data.grammar.english import words
from readhead.data.grammar.lexicon.things import FOOD, OBJECTS

_ACTIVITIES = grow(
    "activity",
    """
    moving
        running
            sprinting, jogging, racing
        walking
            strolling, marching, limping, tiptoeing, wandering
        jumping
            hopping, leaping
        dancing
            waltzing, tap-dancing
        swimming, crawling, climbing, cycling, skating, skiing
    resting
        sleeping
            napping, dozing
        sunbathing, meditating
    talking
        whispering, shouting, chatting, arguing, gossiping
    singing
        humming, yodelling
    crying
        sobbing, weeping
    laughing
        giggling, chuckling
    working
        sewing, knitting, ironing, sweeping, typing
    eating
        devouring, nibbling, munching
    cooking
        frying, boiling, roasting, grilling, steaming
    cutting
        slicing, chopping, dicing
    peeling, tasting, smelling
    cleaning
        washing
            scrubbing, rinsing
        polishing, dusting
    holding
        clutching, squeezing, gripping
    pulling
        dragging, tugging
    throwing
        tossing, hurling
    looking at
        examining, admiring, glancing at, staring at
    damaging
        scratching, denting, breaking
            smashing
    drawing
        sketching
    repairing, buying, selling, hiding, wrapping, painting, decorating, photographing, measuring
    borrowing, stealing
    """,
)
_BY_WORD = {verb.word: verb for verb in _ACTIVITIES}
_TAKING_FOOD = words("eating cooking cutting peeling tasting smelling")
_TAKING_NOTHING = words("moving resting talking singing crying laughing working")


def _families(*tops: str) -> Tree:
    return tuple(verb for top in tops for verb in _BY_WORD[top].descendants())


MOTIONS = _families("moving")
RESTS = _families("resting")
VOICES = _families("talking", "singing", "crying", "laughing")
WORKS = _families("working")
MEALS = _families(*_TAKING_FOOD)
HANDLINGS = tuple(
    verb for verb in _ACTIVITIES if not {a.word for a in verb.ancestors()} & {*_TAKING_FOOD, *_TAKING_NOTHING}
)
ANIMAL_VERBS = tuple(
    _BY_WORD[word]
    for word in words(
        """
        moving running sprinting racing walking limping jumping hopping leaping swimming crawling climbing
        resting sleeping napping dozing
        """
    )
)

_SPEED = grow("speed", "quickly\n hastily\nslowly\n sluggishly")
_GRACE = grow("grace", "gracefully, clumsily")
_VOLUME = grow("volume", "quietly\n silently\nloudly\n noisily")
_CARE = grow("care", "carefully\n gingerly\ncarelessly\n recklessly")
_PEACE = grow("peace", "peacefully, restlessly")
_CHEER = grow("cheer", "happily\n gleefully\nsadly\n gloomily\nangrily")
_ZEAL = grow("zeal", "eagerly, reluctantly")
_SECRECY = grow("secrecy", "openly, secretly")

_MANNERS: tuple[tuple[Tree, Tree], ...] = (
    (MOTIONS, (*_SPEED, *_GRACE, *_CHEER, *_ZEAL)),
    (RESTS, (*_PEACE, *_SECRECY)),
    (VOICES, (*_VOLUME, *_SECRECY)),
    (WORKS, (*_SPEED, *_CARE, *_ZEAL)),
    (MEALS, (*_SPEED, *_CARE, *_ZEAL)),
    (HANDLINGS, (*_CARE, *_SECRECY, *_ZEAL, *_SPEED)),
)
MANNERS_OF: dict[Concept, Tree] = {verb: manners for verbs, manners in _MANNERS for verb in verbs}
TAKES: dict[Concept, Tree] = {**dict.fromkeys(MEALS, FOOD), **dict.fromkeys(HANDLINGS, OBJECTS)}

PLACES = grow(
    "place",
    """
    outdoors
        in the garden
            in the rose garden, in the vegetable garden
        in the city
            in the market square, in the main street
        in the forest, in the park, on the beach, in the meadow, on the hill, in the orchard, by the river
    indoors
        in the house
            in the kitchen, in the bedroom, in the cellar, in the attic, in the bathroom
        in the school
            in the classroom, in the school canteen
        in the hospital
            in the waiting room, in the operating theatre
        in the hotel
            in the hotel lobby, in the hotel bar
        in the museum, in the library, in the bakery, in the factory, in the church, in the gym
    """,
)
