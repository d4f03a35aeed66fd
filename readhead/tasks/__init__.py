"""What is asked of a model: loss, score, answer. TASKS lists them by the command line's names."""

TASKS = {
    "classify": "readhead.tasks.classification:TextClassification",
    "pair": "readhead.tasks.classification:PairClassification",
    "rank": "readhead.tasks.answer_selection:AnswerSelection",
    "language-model": "readhead.tasks.language_modelling:LanguageModelling",
}
