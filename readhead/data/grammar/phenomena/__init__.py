"""What the corpus asks for, one phenomenon a file. PHENOMENA lists them by the name in `Example.tags`."""

from readhead.data.grammar.phenomena.conjunction import conjunction
from readhead.data.grammar.phenomena.hypernyms import hypernyms
from readhead.data.grammar.phenomena.modifiers import modifiers
from readhead.data.grammar.phenomena.negation import negation
from readhead.data.grammar.phenomena.numbers import numbers
from readhead.data.grammar.phenomena.puzzle import Phenomenon
from readhead.data.grammar.phenomena.quantifiers import quantifiers
from readhead.data.grammar.phenomena.word_order import word_order

PHENOMENA: dict[str, Phenomenon] = {
    "hypernyms": hypernyms,
    "negation": negation,
    "quantifiers": quantifiers,
    "numbers": numbers,
    "word order": word_order,
    "modifiers": modifiers,
    "conjunction": conjunction,
}
