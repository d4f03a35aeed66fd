// The page: fields for what a model reads, its answer and its picture, again at every change.

import * as address from "./address.js";
import { answered, soFar, theEnd } from "./answer.js";
import * as ask from "./ask.js";

const at = (id) => document.getElementById(id);
const latest = new ask.Latest();

const [info, examples] = await Promise.all([ask.get("/info"), ask.get("/assets/examples.json")]);
const models = new Map(info.models.map((model) => [model.name, model]));

const model = () => models.get(at("model").value);
const options = (names) => names.map((name, place) => new Option(name, place));
const shorten = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

// --- what is asked

const isList = (name) => model().ranks && name === "candidates";

const field = (name) => {
  const label = document.createElement("label");
  const area = document.createElement("textarea");
  const title = document.createElement("span");
  title.textContent = isList(name) ? "candidates, one a line" : name;
  area.name = name;
  area.rows = isList(name) ? 4 : 2;
  area.spellcheck = false;
  label.className = "field";
  label.append(title, area);
  return label;
};

const texts = () => Object.fromEntries([...at("fields").querySelectorAll("textarea")].map((area) => [area.name, area.value]));

const record = () => {
  const read = Object.entries(texts()).map(([name, text]) => [name, isList(name) ? text.split("\n").filter((line) => line.trim()) : text]);
  return { model: model().name, ...Object.fromEntries(read) };
};

const fill = (values) => {
  for (const area of at("fields").querySelectorAll("textarea")) {
    const value = values[area.name] ?? "";
    area.value = Array.isArray(value) ? value.join("\n") : value;
  }
};

const own = () => examples[model().fields.join(" ")] ?? [];

const chosen = () => {
  const { task, reader, labels, parameters, max_tokens: longest } = model();
  const told = [task, reader, labels.length ? labels.join(" / ") : "", `${parameters.toLocaleString("en")} parameters`,
    `the first ${longest} words are read`];
  at("about").textContent = told.filter(Boolean).join(" · ");
  at("fields").replaceChildren(...model().fields.map(field));
  at("example").replaceChildren(new Option("choose one", ""), ...options(own().map((one) => shorten(Object.values(one)[0]))));
  at("attribution-choice").hidden = !model().attributable;
  // Where no attention can be shown, what each word adds is all there is to see.
  at("attribution").checked = model().attributable && !model().attends && !model().foretells;
  at("read-on").hidden = !model().streams;
  at("go-on").hidden = !model().foretells;
};

// --- what is answered

const tell = (problem) => {
  at("problem").textContent = problem;
  at("problem").hidden = !problem;
};

const show = async () => {
  const began = performance.now();
  const asked = record();
  const pictured = async (parameters) => {
    const { explanation, picture } = await ask.explain(asked, parameters);
    at("picture").innerHTML = picture; // made by the service, which has escaped every text in it
    return explanation;
  };
  at("picture").ariaBusy = "true";
  try {
    at("result").replaceChildren(...answered(await pictured({})));
    tell("");
    at("took").textContent = `answered in ${Math.round(performance.now() - began)} ms`;
    if (at("attribution").checked && !latest.outdated) await pictured({ attribution: true }); // slower: nobody waits for it
  } catch (error) {
    if (!(error instanceof ask.Refused)) throw error;
    at("result").replaceChildren();
    at("picture").replaceChildren();
    at("took").textContent = "";
    tell(error.message);
  }
  at("picture").ariaBusy = "false";
};

// Of readings word by word only the latest is of interest, and none once the text has changed.
let readings = 0;

const changed = () => {
  readings += 1;
  at("words").hidden = true;
  at("copied").textContent = "";
  at("copy").disabled = !address.write({ model: model().name, ...texts() });
  latest.ask(show);
};

const wordByWord = async (asked) => {
  const list = at("words");
  const mine = ++readings;
  list.replaceChildren();
  list.hidden = false;
  try {
    for await (const [name, told] of ask.stream(asked)) {
      if (mine !== readings) return;
      if (name === "word") list.append(soFar(told));
      if (name === "answer" && list.childElementCount < asked.continue) list.append(theEnd());
      if (name === "error") tell(told.detail);
    }
  } catch (error) {
    if (!(error instanceof ask.Refused)) throw error;
    tell(error.message);
  }
};

const save = async () => {
  try {
    const page = await ask.file(record(), { attribution: at("attribution").checked });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(page);
    link.download = `${model().name}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    if (!(error instanceof ask.Refused)) throw error;
    tell(error.message);
  }
};

const copy = async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    at("copied").textContent = "copied";
  } catch {
    at("copied").textContent = "the address bar has it";
  }
};

// --- beginning, and listening

const restore = () => {
  const given = address.read();
  if (models.has(given.model)) at("model").value = given.model;
  chosen();
  fill(model().fields.some((name) => name in given) ? given : (own()[0] ?? {}));
  changed();
};

at("model").replaceChildren(...[...models.keys()].map((name) => new Option(name, name)));
at("model").addEventListener("change", () => {
  const before = texts();
  chosen();
  fill(model().fields.every((name) => before[name]) ? before : (own()[0] ?? {}));
  changed();
});
at("example").addEventListener("change", () => {
  const one = own()[Number(at("example").value)];
  if (one) fill(one);
  changed();
});
at("fields").addEventListener("input", changed);
at("attribution").addEventListener("change", changed);
at("read-on").addEventListener("click", () => wordByWord(record()));
at("go-on").addEventListener("click", () => wordByWord({ ...record(), continue: 30, seed: Math.floor(Math.random() * 2 ** 31) }));
at("download").addEventListener("click", save);
at("copy").addEventListener("click", copy);
at("asked").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", restore);
restore();
