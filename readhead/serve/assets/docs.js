// Forms that try a route.

const send = async (form) => {
  const shown = form.querySelector(".sent");
  shown.hidden = false;
  shown.textContent = "…";
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(form.dataset.path, { method: "POST", headers, body: form.elements.body.value });
    const text = await answer.text();
    const isJSON = answer.headers.get("content-type").startsWith("application/json");
    shown.textContent = `${answer.status}\n${isJSON ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
  } catch {
    shown.textContent = "The service cannot be reached.";
  }
};

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
