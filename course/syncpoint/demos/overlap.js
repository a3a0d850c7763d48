// Turns the still picture of copies beside kernels into the live one: sliders, choices, three rows, a sentence.
enhanceAll("figure.sp-overlap", figure => {
  const overlap = JSON.parse(figure.dataset.overlap), { says, times } = overlap;
  const caption = figure.querySelector("figcaption");
  const [batches, copy, compute] = overlap.sliders.map(([name, texts, chosen]) => ({ name, texts, chosen }));
  const [memory, buffers] = overlap.radios.map(([name, texts, chosen]) => ({ name, texts, chosen }));
  const controls = [batches, copy, compute].map(one =>
    slider(one.name, one.texts, one.chosen, i => { one.chosen = i; show(); }));
  const asked = [memory, buffers].map(one => radios(one.name, one.texts, one.chosen, i => { one.chosen = i; show(); }));
  const rows = tracks(figure, "us");
  const play = element("button", { type: "button" }, "Play");

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", overlap.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, overlap.title + "."), " ", overlap.intro),
    element("div", { className: "sp-controls" }, ...controls, play),
    element("div", { className: "sp-asked" }, ...asked), rows.box, legend(overlap.key));
  play.addEventListener("click", () => rows.play());
  show();

  // Staging, copies and kernels of one way to do it, and its total time.
  function run(way, slots, n) {
    const at = ((way * 2 + slots) * times.length + copy.chosen) * times.length + compute.chosen;
    const [staging, copies, kernels] = overlap.runs[at].map(starts => starts.slice(0, n));
    const copying = times[copy.chosen] * (overlap.memory[way] === "pageable" ? overlap.factor : 1);
    return { staging, copies, kernels, copying, total: kernels[n - 1] + times[compute.chosen] };
  }

  function show() {
    const n = batches.chosen + overlap.fewest, computing = times[compute.chosen];
    const now = run(memory.chosen, buffers.chosen, n), two = buffers.chosen === 1;
    const slowest = Math.max(...[0, 1].flatMap(way => [0, 1].map(slots => run(way, slots, n).total)));
    const bars = (starts, us, kind) => starts.map((from, i) => [from, from + us, kind, String(i + 1)]);
    rows.draw([
      ["host", bars(now.staging, now.copying, "host")],
      ["copies", bars(now.copies, now.copying, "H2D")],
      ["kernels", bars(now.kernels, computing, "kernel")],
    ], 1.04 * slowest);

    const way = overlap.memory[memory.chosen], sum = two ? 2 : 1;
    const values = {
      n, memory: way, copy: spoken(now.copying), compute: computing, total: spoken(now.total),
      other: spoken(run(memory.chosen, 1 - buffers.chosen, n).total), factor: spoken(overlap.factor),
      host: spoken(now.staging.length * now.copying),
    };
    values.formula = filled(says[`formula${sum}`], values);
    const pace = now.copying > computing ? "copies" : now.copying < computing ? "kernels" : "both";
    caption.textContent = [`head${sum}`, "total", `other${sum}`, two ? pace : "serial", way]
      .map(name => filled(says[name], values)).join(" ");
  }
});
