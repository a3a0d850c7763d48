// Turns the still picture of the race explorer into the live one: four questions, the program, two streams, a verdict.
enhanceAll("figure.sp-hazard", figure => {
  const hazard = JSON.parse(figure.dataset.hazard);
  const caption = figure.querySelector("figcaption");
  const chosen = [...hazard.chosen];
  const counts = hazard.controls.map(([, texts]) => texts.length);

  const asked = hazard.controls.map(([question, texts], at) => {
    const labels = texts.map(text => { const label = element("span"); label.innerHTML = text; return label; });
    const set = choices(question, labels, i => { chosen[at] = i; show(); });
    set.querySelectorAll("input")[chosen[at]].checked = true;
    return set;
  });
  const verdict = element("strong", { className: "sp-verdict" });
  const code = element("pre", { "aria-label": "The program", role: "group" });
  const lanes = ["side", "main", "host"].map(name => {
    const track = element("div", { className: "sp-track" });
    return { track, row: element("div", { className: "sp-row" }, element("span", {}, name), track) };
  });
  const axis = element("div", { className: "sp-axis" },
    ...hazard.grid.map((time, i) => place(element("span", {}, i ? String(time) : "0 us"), time)));
  const key = element("div", { className: "sp-key" }, ...Object.entries(hazard.key).map(([kind, text]) =>
    element("span", {}, element("i", { className: `sp-${kind}` }), text)));

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", hazard.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, hazard.title), " ", hazard.intro),
    element("div", { className: "sp-asked" }, ...asked), code,
    element("div", { "aria-hidden": "true" }, verdict, ...lanes.map(lane => lane.row), axis, key));
  show();

  function show() {
    const run = hazard.runs[chosen.reduce((at, choice, i) => at * counts[i] + choice, 0)];
    const [side, main, host] = lanes.map(lane => lane.track);
    code.replaceChildren(...run.code.split("\n").map((line, i) => {
      const racy = run.lines.includes(i + 1);
      return element("span", { className: racy ? "sp-racy" : "" },
        element("b", { "aria-hidden": "true" }, `${racy ? "▸" : " "}${String(i + 1).padStart(2)}  `), line, "\n");
    }));
    fill(side, run.copies, i => ["sp-H2D", String(i + 1)]);
    fill(main, run.reads, i => [run.right[i] ? "sp-kernel" : "sp-wrong", run.values[i]]);
    fill(host, run.waits, () => ["sp-wait", "wait"]);
    verdict.textContent = `${run.safe ? "✓" : "✗"} ${run.verdict}`;
    verdict.classList.toggle("sp-bad", !run.safe);
    caption.innerHTML = run.said;
  }

  function fill(track, spans, look) {
    track.replaceChildren(...hazard.grid.map(time => place(element("u"), time)), ...spans.map(([from, to], i) => {
      const [className, text] = look(i);
      return place(element("i", { className }, element("span", {}, text)), from, to);
    }));
  }

  function place(item, from, to) {
    item.style.left = `${100 * from / hazard.span}%`;
    if (to !== undefined) item.style.width = `${100 * (to - from) / hazard.span}%`;
    return item;
  }
});
