// Lights up and steps through pictures that are drawn already. It listens to the document, so that it also serves
// pictures that come later.
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");

  const lit = new WeakMap(); // drawing -> its elements that are lit
  const films = new WeakMap(); // figure -> what its steps are
  const playing = new WeakMap(); // figure -> timer
  const PACE = 900; // milliseconds a step
  const FULL = 0.14; // pixels of a slot's bar for each percent

  // --- a word and its links, a cell and its row and column

  const visited = (target) => (target instanceof Element ? target.closest('[role="option"], [role="gridcell"]') : null);

  const darken = (drawing) => {
    for (const [element, kind] of lit.get(drawing) ?? []) element.classList.remove(kind);
    drawing.querySelector(".front")?.replaceChildren();
    lit.delete(drawing);
  };

  const light = (place) => {
    const drawing = place.closest("svg");
    darken(drawing);
    const found = place.getAttribute("role") === "option" ? links(drawing, place) : crossing(drawing, place);
    for (const [element, kind] of found) element.classList.add(kind);
    lit.set(drawing, found);
    drawing.classList.add("lit");
    tell(drawing.closest("figure"), place.getAttribute("aria-label"));
  };

  const leave = (drawing) => {
    darken(drawing);
    drawing.classList.remove("lit");
    const figure = drawing.closest("figure");
    tell(figure, figure?.querySelector(".readout")?.dataset.hint);
  };

  const links = (drawing, word) => {
    const place = word.dataset.w;
    const found = [[word, "own"]];
    const front = drawing.querySelector(".front");
    const copied = (path, kind) => {
      const copy = path.cloneNode();
      copy.classList.add(kind);
      copy.setAttribute("stroke-opacity", "1");
      front.append(copy);
    };
    const twoTexts = drawing.querySelector(".looked-at");
    if (!twoTexts) for (const path of drawing.querySelectorAll(`.links [data-c="${place}"]`)) copied(path, "back");
    for (const path of drawing.querySelector(`.links > [data-r="${place}"]`)?.children ?? []) {
      copied(path, "own");
      const name = twoTexts ? `.looked-at > [data-c="${path.dataset.c}"]` : `[data-w="${path.dataset.c}"]`;
      found.push([drawing.querySelector(name), "seen"]);
    }
    return found;
  };

  const crossing = (drawing, cell) => {
    const found = [[cell.parentNode, "own"], [cell, "here"]];
    for (const other of drawing.querySelectorAll(`[data-c="${cell.dataset.c}"]`)) found.push([other, "own"]);
    return found;
  };

  const tell = (figure, told) => {
    const readout = figure?.querySelector(".readout");
    if (readout && readout.textContent !== told) readout.textContent = told;
  };

  // --- from one to the next by keyboard: one of them is a stop of the Tab key, arrows go to the others

  const box = (place) => {
    const { x, y, width } = place.querySelector("rect").attributes;
    return { middle: Number(x.value) + Number(width.value) / 2, top: Number(y.value) };
  };

  const nearest = (place, all, down) => {
    const from = box(place);
    const beyond = all.map((one) => [one, box(one)]).filter(([, at]) => (down ? at.top > from.top : at.top < from.top));
    const line = down ? Math.min(...beyond.map(([, at]) => at.top)) : Math.max(...beyond.map(([, at]) => at.top));
    return beyond
      .filter(([, at]) => at.top === line)
      .sort(([, a], [, b]) => Math.abs(a.middle - from.middle) - Math.abs(b.middle - from.middle))[0]?.[0];
  };

  const next = (place, key) => {
    const role = place.getAttribute("role");
    const all = [...place.closest('[role="listbox"], [role="grid"]').querySelectorAll(`[role="${role}"]`)];
    const row = role === "option" ? all : [...place.parentNode.querySelectorAll(`[role="${role}"]`)];
    const at = row.indexOf(place);
    switch (key) {
      case "ArrowRight": return row[at + 1];
      case "ArrowLeft": return row[at - 1];
      case "ArrowDown": return nearest(place, all, true);
      case "ArrowUp": return nearest(place, all, false);
      case "Home": return row[0];
      case "End": return row.at(-1);
      default: return undefined;
    }
  };

  const KEYS = new Set(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End"]);

  const visit = (place, event) => {
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    const other = next(place, event.key);
    if (!other) return;
    place.setAttribute("tabindex", "-1");
    other.setAttribute("tabindex", "0");
    other.focus();
  };

  // --- a reading, step by step

  const pairs = (told) => (told ? told.split(" ").map((pair) => pair.split(":").map(Number)) : []);

  const film = (figure) => {
    if (films.has(figure)) return films.get(figure);
    const drawings = [...figure.querySelectorAll("svg.reading")].map((drawing) => ({
      words: [...drawing.querySelectorAll("[data-w]")],
      slots: [...drawing.querySelectorAll("[data-c]")].map((slot) => ({
        heat: slot.querySelector(".heat"),
        level: slot.querySelector(".level"),
      })),
    }));
    const slots = drawings[0].slots.length;
    const holds = new Float64Array(slots);
    const steps = drawings[0].words.map((word) => {
      const looks = new Float64Array(slots);
      for (const [slot, percent] of pairs(word.dataset.z)) looks[slot] = percent;
      for (const [slot, percent] of pairs(word.dataset.m)) holds[slot] = percent;
      return { looks, holds: holds.slice(), told: word.dataset.told, word: word.querySelector("text").textContent };
    });
    const made = { drawings, steps, at: steps.length - 1 };
    films.set(figure, made);
    return made;
  };

  // What stands in each slot: its own word, put together with each word that was written there.
  const hold = (figure, at) => {
    const { steps } = film(figure);
    for (const slot of figure.querySelectorAll("[data-writes]")) {
      const writes = slot.dataset.writes.split(" ").filter(Boolean).map(Number).filter((step) => step <= at);
      const text = writes.reduce((held, step) => `(${steps[step].word} ${held})`, slot.dataset.word);
      if (slot.lastChild.textContent !== text) slot.lastChild.textContent = text;
      slot.classList.toggle("now", writes.at(-1) === at);
    }
  };

  const show = (figure, asked) => {
    const { drawings, steps } = film(figure);
    const at = Math.min(Math.max(asked, 0), steps.length - 1);
    films.get(figure).at = at;
    for (const { words, slots } of drawings) {
      words.forEach((word, place) => {
        word.classList.toggle("now", place === at);
        word.classList.toggle("ahead", place > at);
      });
      slots.forEach(({ heat, level }, slot) => {
        heat.setAttribute("fill-opacity", (0.04 + 0.08 * Math.sqrt(steps[at].looks[slot])).toFixed(2));
        level?.setAttribute("height", (FULL * steps[at].holds[slot]).toFixed(1));
      });
    }
    hold(figure, at);
    const slider = figure.querySelector('input[type="range"]');
    slider.value = String(at + 1);
    slider.setAttribute("aria-valuetext", steps[at].told);
    tell(figure, steps[at].told);
  };

  const stop = (figure) => {
    clearInterval(playing.get(figure));
    playing.delete(figure);
    figure.querySelector('[data-do="play"]').textContent = "Play";
  };

  const play = (figure) => {
    const { steps, at } = film(figure);
    show(figure, at === steps.length - 1 ? 0 : at + 1);
    figure.querySelector('[data-do="play"]').textContent = "Pause";
    const timer = setInterval(() => {
      const now = film(figure).at;
      if (!figure.isConnected || now >= steps.length - 1) stop(figure);
      else show(figure, now + 1);
    }, PACE);
    playing.set(figure, timer);
  };

  const DO = {
    play: (figure) => (playing.has(figure) ? stop(figure) : play(figure)),
    back: (figure) => { stop(figure); show(figure, film(figure).at - 1); },
    on: (figure) => { stop(figure); show(figure, film(figure).at + 1); },
  };

  const stepped = (target) => (target instanceof Element ? target.closest("figure[data-steps]") : null);

  // --- listening

  document.addEventListener("pointerover", (event) => {
    const place = visited(event.target);
    if (place?.closest(".readhead")) light(place);
  });
  document.addEventListener("focusin", (event) => {
    const place = visited(event.target);
    if (place?.closest(".readhead")) light(place);
  });
  for (const kind of ["pointerout", "focusout"]) {
    document.addEventListener(kind, (event) => {
      const drawing = visited(event.target)?.closest("svg") ?? (event.target instanceof Element && event.target.closest("svg.lit"));
      if (!drawing || !drawing.classList.contains("lit") || drawing.contains(event.relatedTarget)) return;
      const focused = visited(document.activeElement);
      if (kind === "pointerout" && focused && drawing.contains(focused)) light(focused);
      else leave(drawing);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const place = visited(event.target);
    if (place?.closest(".readhead")) visit(place, event);
    const figure = event.target instanceof Element && event.target.matches("figure[data-steps] .canvas") ? stepped(event.target) : null;
    const wanted = { ArrowLeft: "back", ArrowRight: "on", " ": "play" }[event.key];
    if (!figure || !wanted) return;
    event.preventDefault();
    DO[wanted](figure);
  });
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
    const figure = stepped(button);
    if (figure) DO[button.dataset.do]?.(figure);
  });
  document.addEventListener("input", (event) => {
    const figure = event.target.matches?.('input[type="range"]') ? stepped(event.target) : null;
    if (!figure) return;
    stop(figure);
    show(figure, Number(event.target.value) - 1);
  });
})();
