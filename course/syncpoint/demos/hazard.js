// Turns the still picture of the race explorer into the live one: four questions, the program, two streams, a verdict.
enhanceAll("figure.sp-hazard", figure => {
  const hazard = JSON.parse(figure.dataset.hazard);
  const caption = figure.querySelector("figcaption");
  const chosen = [...hazard.chosen];

  const asked = hazard.controls.map(([question, texts], at) =>
    radios(question, texts, chosen[at], i => { chosen[at] = i; show(); }));
  const verdict = element("strong", { className: "sp-verdict", "aria-hidden": "true" });  // the caption says it
  const code = element("pre", { role: "group" });
  const lanes = tracks(figure, "us");

  code.setAttribute("aria-label", "The program");
  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", hazard.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, hazard.title), " ", hazard.intro),
    element("div", { className: "sp-asked" }, ...asked), code, verdict, lanes.box, legend(hazard.key));
  show();

  function show() {
    const run = hazard.runs[chosen.reduce((at, choice, i) => at * hazard.controls[i][1].length + choice, 0)];
    code.replaceChildren(...run.code.split("\n").map((line, i) => {
      const racy = run.lines.includes(i + 1);
      return element("span", { className: racy ? "sp-racy" : "" },
        element("b", { "aria-hidden": "true" }, `${racy ? "▸" : " "}${String(i + 1).padStart(2)}  `), line, "\n");
    }));
    lanes.draw([
      ["side", run.copies.map(([from, to], i) => [from, to, "H2D", String(i + 1)])],
      ["main", run.reads.map(([from, to], i) => [from, to, run.right[i] ? "kernel" : "wrong", run.values[i]])],
      ["host", run.waits.map(([from, to]) => [from, to, "wait", "wait"])],
    ], hazard.span);
    verdict.textContent = `${run.safe ? "✓" : "✗"} ${run.verdict}`;
    verdict.classList.toggle("sp-bad", !run.safe);
    caption.innerHTML = run.said;
  }
});
