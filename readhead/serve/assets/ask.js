// Questions to the service.

/** A question that was refused; its message is for people. */
export class Refused extends Error {}

const post = async (path, body, accept) => {
  let answer;
  try {
    const headers = { "Content-Type": "application/json", Accept: accept };
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  } catch {
    throw new Refused("The service cannot be reached.");
  }
  if (!answer.ok) throw new Refused((await answer.json()).detail);
  return answer;
};

/** A file that the page is made of, or what is known of the service. */
export const get = async (path) => (await fetch(path)).json();

/** The record of one reading, and its picture. */
export const explain = async (record, parameters) =>
  (await post("/v1/explain", { ...record, parameters: { ...parameters, picture: true } }, "application/json")).json();

/** The same as one HTML file. */
export const file = async (record, parameters) =>
  (await post("/v1/explain", { ...record, parameters }, "text/html")).blob();

/** Event after event of a reading word by word: [name, record]. */
export async function* stream(record) {
  const reader = (await post("/v1/stream", record, "text/event-stream")).body
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let begun = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (begun + value).split("\n\n");
      begun = events.pop();
      for (const event of events) {
        const [name, data] = event.split("\n");
        yield [name.slice("event: ".length), JSON.parse(data.slice("data: ".length))];
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // whoever reads no more wants no more; cut off, it is cancelled already
  }
}

/** Asks again and again, one question at a time: while one is answered only the latest other one is kept. */
export class Latest {
  #waiting = null;
  #asking = false;

  /** Whether what is being answered is of no interest any more. */
  get outdated() {
    return this.#waiting !== null;
  }

  async ask(question) {
    this.#waiting = question;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = null;
      await next();
    }
    this.#asking = false;
  }
}
