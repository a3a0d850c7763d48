// Shared by demos with rows of bars on one axis of time: sliders, radio lists, and the rows, which can be played.

// A slider over a list of texts, which are what it shows and says; `changed` hears of each move.
function slider(name, texts, chosen, changed) {
  const input = element("input", { type: "range", min: 0, max: texts.length - 1 });
  const shown = element("output", { "aria-hidden": "true" });  // the slider itself says it
  const say = () => { shown.textContent = texts[input.value]; input.setAttribute("aria-valuetext", texts[input.value]); };
  input.value = chosen;
  input.addEventListener("input", () => { say(); changed(Number(input.value)); });
  say();
  return element("label", { className: "sp-slider" }, element("span", {}, name), input, shown);
}

// A question with radio buttons; the texts are HTML that page.py's `prose` has made.
function radios(question, texts, chosen, changed) {
  const labels = texts.map(text => { const label = element("span"); label.innerHTML = text; return label; });
  const set = choices(question, labels, changed);
  set.querySelectorAll("input")[chosen].checked = true;
  return set;
}

// What the colours mean: {kind: text}.
function legend(key) {
  return element("div", { className: "sp-key", "aria-hidden": "true" }, ...Object.entries(key).map(([kind, text]) =>
    element("span", {}, element("i", { className: `sp-${kind}` }), text)));
}

// Round times for an axis, at most six of them; stage.py's `grid`.
function grid(span, most = 6) {
  for (let power = 1e-6; ; power *= 10) {
    for (const digit of [1, 2, 4, 5]) {
      const step = digit * power;
      if (span / step < most) return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
    }
  }
}

// Fill the {places} of a sentence; tracks.py does the same with `str.format`.
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const spoken = number => Number(number.toPrecision(4)).toLocaleString("en-US");

// The rows. `draw` takes [name, [[from, to, kind, text], ...], class] for each, and the length of the axis; `play` shows
// them grow. Nothing here is said aloud: the caption says it.
function tracks(figure, unit) {
  const box = element("div", { className: "sp-tracks", "aria-hidden": "true" });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let frame = 0, span = 1, end = 1, veils = [];

  function place(item, from, to) {
    item.style.left = `${100 * from / span}%`;
    if (to !== undefined) item.style.width = `${100 * (to - from) / span}%`;
    return item;
  }

  function draw(rows, length) {
    stop();
    span = length;
    end = Math.max(...rows.flatMap(([, bars]) => bars.map(([, to]) => to)), 0);
    const times = grid(span);
    veils = rows.map(([, bars]) => element("div", {}, ...bars.map(([from, to, kind, text]) =>
      place(element("i", { className: `sp-${kind}` }, element("span", {}, text)), from, to))));
    const axis = element("div", { className: "sp-axis" }, ...times.map((time, i) =>
      place(element("span", { className: time > 0.93 * span ? "sp-last" : "" }, i ? String(time) : `0 ${unit}`), time)));
    box.replaceChildren(...rows.map(([name, , kind = ""], i) => element("div", { className: `sp-row ${kind}` }, element("span", {}, name),
      element("div", { className: "sp-track" }, ...times.map(time => place(element("u"), time)), veils[i]))), axis);
  }

  function show(now) {
    for (const veil of veils) veil.style.clipPath = now < end ? `inset(0 ${100 - 100 * now / span}% 0 0)` : "";
  }

  function stop() {
    cancelAnimationFrame(frame);
    delete figure.dataset.running;
    show(end);
  }

  function play(lastsMs = 3000) {
    stop();
    if (still.matches) return;
    figure.dataset.running = "true";
    let began;
    frame = requestAnimationFrame(function next(now) {
      began ??= now;
      const time = (now - began) / lastsMs * end;
      show(time);
      if (time < end) frame = requestAnimationFrame(next);
      else delete figure.dataset.running;
    });
  }

  return { box, draw, play };
}
