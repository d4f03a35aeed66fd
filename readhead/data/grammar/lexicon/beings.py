"""Who there is: people and animals, their traits, and their names."""

from __future__ import annotations

from readhead.data.grammar.concept import Concept, Tree, grow
from readhead.data.grammar.english import plural, with_article, words

KINDS = grow(
    "kind",
    """
    person
        musician
            pianist, violinist, drummer, guitarist, cellist, flautist, trumpeter
        doctor
            surgeon, dentist, psychiatrist, paediatrician
        artist
            painter, sculptor, potter, engraver
        writer
            poet, novelist, journalist, playwright
        scientist
            chemist, physicist, biologist, astronomer, geologist, botanist
        athlete
            sprinter, gymnast, wrestler, boxer, rower, fencer
        soldier
            sergeant, corporal, captain
        shopkeeper
            baker, butcher, grocer, florist, bookseller, jeweller
        artisan
            carpenter, blacksmith, tailor, cobbler, weaver, glazier
        criminal
            smuggler, forger, thief
                pickpocket, burglar
        nurse, lawyer, judge, farmer, gardener, pilot, sailor, plumber, librarian, waiter, mayor, spy
    animal
        mammal
            dog
                poodle, beagle, terrier, greyhound, spaniel
            horse
                pony, stallion
            cat, fox, wolf, bear, lion, tiger, elephant, monkey, goat, rodent
                mouse, rat, hamster, squirrel, beaver
        bird
            sparrow, eagle, owl, duck, goose, swan, penguin, parrot, crow
        reptile
            turtle, crocodile, snake
                cobra, viper, python
        insect
            ant, beetle, wasp, butterfly
    """,
    plural=plural,
)
PEOPLE: Tree = tuple(KINDS[0].descendants())
ANIMALS: Tree = tuple(next(kind for kind in KINDS if kind.word == "animal").descendants())

_OPPOSITES = """
tall|short  young|old  rich|poor  brave|timid  strong|weak  polite|rude  healthy|sick  lazy|diligent
famous|unknown happy|sad|angry  clever|foolish  generous|greedy  honest|dishonest  patient|impatient
slim|stout
"""
_ANIMAL_OPPOSITES = "large|small  tame|wild  fast|slow  hungry|sated  black|white|brown|grey"


def _exclusive_groups(opposites: str) -> Tree:
    groups = (group.split("|") for group in words(opposites))
    return tuple(trait for traits in groups for trait in grow(traits[0], ", ".join(traits)))


TRAITS = _exclusive_groups(_OPPOSITES)
ANIMAL_TRAITS = _exclusive_groups(_ANIMAL_OPPOSITES)

NAMES = words(
    """
    Ada Alba Amos Anna Arthur Bela Bruno Carla Carlos Clara Dario David Edith Elias Emma Erik Felix Fiona
    Frank Greta Hanna Hugo Ida Igor Irene Ivan Jakob Jane Julia Karim Karl Laura Leo Lena Lucas Maria Marta
    Max Mila Nadia Nils Nina Olga Omar Oscar Paul Petra Ravi Rosa Samir Sara Simon Sofia Tara Theo Thomas
    Vera Victor Yusuf Zoe
    """
)
PET_NAMES = words("Bella Biscuit Bobby Coco Daisy Ginger Lucky Luna Milo Misty Pepper Rex Rocky Rusty")

_CLOTHES = ("coat", "hat", "scarf", "shirt", "uniform")
_CLOTH_COLOURS = ("red", "blue", "green", "yellow", "black", "white", "grey", "purple")
_ORIGINS = """
    from Europe
        from Norway
            from Oslo, from Bergen
        from Spain
            from Madrid, from Seville
        from Italy
            from Rome, from Milan
        from Poland
            from Warsaw, from Gdansk
    from Asia
        from Japan
            from Tokyo, from Kyoto
        from India
            from Delhi, from Mumbai
    from Africa
        from Kenya
            from Nairobi, from Mombasa
        from Egypt
            from Cairo, from Luxor
"""
_INSTRUMENTS = words("piano violin cello flute trumpet guitar harp banjo accordion ukulele")
_PETS = words("animal mammal dog poodle beagle terrier cat horse bird parrot turtle snake")


def _clothing(garment: str, before: str) -> Tree:
    coloured = ", ".join(f"{before} a {colour} {garment}" for colour in _CLOTH_COLOURS)
    return grow(garment, f"{before} {with_article(garment)}\n {coloured}")


def _relative_plural(clause: str) -> str:
    who, verb, *rest = clause.split()
    return " ".join([who, verb.removesuffix("s"), *rest])


def _owned() -> Tree:
    def draw(kind: Concept, indent: str) -> str:
        line = f"{indent}who owns {with_article(kind.word)}\n" if kind.word in _PETS else ""
        return line + "".join(draw(child, indent + " ") for child in kind.children)

    return grow("pets", draw(ANIMALS[0], ""), plural=_relative_plural, exclusive=False)


CLOTHES: tuple[Tree, ...] = tuple(_clothing(garment, "in") for garment in _CLOTHES)
ORIGINS = grow("origin", _ORIGINS)
PETS = _owned()
INSTRUMENTS_PLAYED = grow(
    "instruments",
    "who plays an instrument\n " + ", ".join(f"who plays the {name}" for name in _INSTRUMENTS),
    plural=_relative_plural,
    exclusive=False,
)
COLLARS = _clothing("collar", "with")
TAILS: Tree = (*(c for tree in CLOTHES for c in tree), *ORIGINS, *PETS, *INSTRUMENTS_PLAYED)
