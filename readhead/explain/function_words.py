"""English words that hold a sentence together, as against those that carry its content."""

from __future__ import annotations

from typing import Literal

Kind = Literal["content", "function", "sign"]

# Articles and what stands in their place, pronouns, prepositions, conjunctions, auxiliaries, what an apostrophe leaves
# of them, and adverbs that name nothing.
_WRITTEN = """
    a an the this that these those some any no every each either neither both all another such

    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves one oneself who whom whose which what
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing none

    about above across after against along among around as at before behind below beneath beside besides between
    beyond by despite down during except for from in inside into like near of off on onto out outside over past
    per since through throughout till to toward towards under underneath until up upon via with within without

    and but or nor so yet because although though while whereas if unless whether than when where why how once

    am is are was were be been being have has had having do does did doing
    will would shall should can could may might must ought cannot

    's 're 've 'll 'd 'm s re ve ll d m n't t

    not there here then too also very just only even again ever
"""
FUNCTION_WORDS = frozenset(_WRITTEN.split())


def kind(token: str) -> Kind:
    """Of a token; a number counts as content, and a sign is whatever has no letter or digit: a full stop, `∅`."""
    if not any(character.isalnum() for character in token):
        return "sign"
    return "function" if token.lower() in FUNCTION_WORDS else "content"
