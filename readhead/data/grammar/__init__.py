"""A generated entailment corpus: English sentences with logical forms, from which the labels follow.

The conventions of reading, the same for every pair:

One moment. Both sentences speak of one and the same moment. At that moment everybody is at one place and
    does one thing, to at most one thing, in one manner: who is swimming is not walking, who is in the
    kitchen is not in the attic. Place and manner of an action are those of who does it.
Exclusion. Words beside each other in the lexicon's tree rule each other out of the same individual: no
    baker is a butcher, nothing red is blue, the tall are not short. Between opposites there is a middle:
    who is not tall need not be short. What a person owns or plays is free: who owns a dog may own a cat.
Openness. There are always more kinds than the lexicon names: a dog need not be any of the dogs named in
    it.
Names. Different names, and different nouns behind `the`, are different individuals. `the nurse` is the
    only nurse in question, the same one in both sentences and whatever else is said of it; what is said of
    it in passing (`the tall nurse`, `Anna, a tall nurse,`) is asserted, and lies outside any negation.
Negation. `is not` denies all that follows in its clause taken together: who is not running in the park
    may be running elsewhere.
Quantifiers. `every`, `all`, `not every`, `not all` and `most` take for granted that there are such
    beings, and what either sentence takes for granted is granted for the pair. `a` and `some` mean at
    least one; `most` more than half.
Numbers. A bare number means at least so many: three nurses are running when four are.
Sharing. `Anna and Max are` says it of each of them alone; `or` leaves open whether both.
Relations. Comparatives and sides are strict orders (asymmetric, transitive, with a converse); `a cousin
    of` and its like are symmetric; of other verbs nothing follows from who does it to whom for the other
    way round. `..., but not Max, is` excludes Max from those who do it, a final `but not Max` from those
    whom it is done to.
Scenery. Time, weather and sights (`at noon, ...`, `..., and the door is open`) say when it is and what
    else there is to see, and decide nothing.

meaning.py has the logical forms, inference.py and counting.py decide, phrases.py gives the words;
lexicon/ has the vocabulary and its axioms, phenomena/ proposes hypotheses and premises, generate.py pairs
them. The tests check the labels against a model checker that shares none of it.
"""
