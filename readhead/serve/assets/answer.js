// An answer in words. Texts only ever become text nodes.

const percent = (share) => `${(100 * share).toFixed(share > 0.9995 || share < 0.0005 ? 0 : 1)} %`;

const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};

const ranked = ({ ranking }) => {
  const entry = ({ texts, answer }) =>
    element("li", texts.candidate.text, " ", element("small", percent(answer.score)));
  return [element("ol", ...ranking.map(entry))];
};

/** What stands under "Answer": nodes. */
export const answered = (explanation) => {
  if (explanation.ranking) return ranked(explanation);
  const { answer } = explanation;
  if ("label" in answer) return [answer.label, " ", element("small", percent(answer.scores[answer.label]))];
  if ("score" in answer) return ["right ", element("small", percent(answer.score))];
  return [`perplexity ${answer.perplexity.toFixed(1)}`];
};

/** What is told after one word of a reading: a list entry. */
export const soFar = (word) => {
  if ("word" in word) return element("li", word.word);
  const told = "label" in word
    ? `${word.label} ${percent(word.scores[word.label])}`
    : `${word.surprisal.toFixed(1)} bits`;
  return element("li", element("b", word.token), " ", told);
};

/** Where a text that was gone on with has come to its end, at once perhaps: a list entry. */
export const theEnd = () => element("li", "⊣ here the text ends");
