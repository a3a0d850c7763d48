// Turns the still picture of a pipeline's bubble into the live one: sliders, the timetable, a sentence.
enhanceAll("figure.sp-bubble", figure => {
  const bubble = JSON.parse(figure.dataset.bubble), { says } = bubble;
  const caption = figure.querySelector("figcaption");
  const chosen = bubble.sliders.map(([, , at]) => at);
  const sliders = bubble.sliders.map(([name, texts, at], which) =>
    slider(name, texts, at, i => { chosen[which] = i; show(); }));
  let [question, ways, way] = bubble.radios;
  const asked = radios(question, ways, way, i => { way = i; show(); });
  const rows = tracks(figure, "us");
  const play = element("button", { type: "button" }, "Play");

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", bubble.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, bubble.title + "."), " ", bubble.intro),
    element("div", { className: "sp-controls" }, ...sliders, play), asked, rows.box, legend(bubble.key));
  play.addEventListener("click", () => rows.play());
  show();

  // The rules of bubble_runs.py's `play`.
  function played(m, computes, copy, streams) {
    const n = computes.length, stageFree = Array(n).fill(0), linkFree = Array(n).fill(0), arrived = Array(m).fill(0);
    const tasks = computes.map(() => []), copies = computes.map(() => []);
    for (let tick = 0; tick < m + n - 1; tick += 1) {
      const working = computes.map((_, j) => [tick - j, j]).filter(([i]) => i >= 0 && i < m);
      for (const [i, j] of working.filter(([, j]) => j)) {
        const began = Math.max(arrived[i], ...(streams ? [linkFree[j]] : [stageFree[j - 1], stageFree[j]]));
        arrived[i] = began + copy;
        if (streams) linkFree[j] = arrived[i];
        else stageFree[j - 1] = stageFree[j] = arrived[i];
        copies[j].push([began, arrived[i]]);
      }
      for (const [i, j] of working) {
        const began = Math.max(arrived[i], stageFree[j]);
        arrived[i] = stageFree[j] = began + computes[j];
        tasks[j].push([began, arrived[i]]);
      }
    }
    return { tasks, copies, total: tasks.at(-1).at(-1)[1] };
  }

  function show() {
    const m = bubble.micro_batches[chosen[0]], n = chosen[1] + 1, c = chosen[2] + 1, p = chosen[3];
    const factor = chosen[4] + 1, streams = way === 0, place = Math.floor(n / 2);
    const computes = Array.from({ length: n }, (_, j) => c * (j === place ? factor : 1));
    const now = played(m, computes, p, streams), slowest = Math.max(...computes);
    const alone = m * computes.reduce((a, b) => a + b);
    const round = (value, parts) => spoken(Math.round(parts * value) / parts);
    const values = {
      n, c, p, place, links: n - 1, others: m - 1, ticks: m + n - 1, total: spoken(now.total), c_slow: slowest,
      m_many: `${m} micro-batch${m > 1 ? "es" : ""}`, n_many: `${n} stage${n > 1 ? "s" : ""}`,
      sum: computes.join(" + "), other: spoken(played(m, computes, p, !streams).total), alone: spoken(alone),
      bubble: round(100 * (1 - alone / (n * now.total)), 10), least: round(100 * (n - 1) / (m + n - 1), 10),
      speed: round(alone / now.total, 100), slowest: n > 1 ? filled(says.slowest, { c: slowest, p }) : String(slowest),
    };
    values.formula = filled(says[factor === 1 ? "formula" : "formula_uneven"], values);
    const names = ["head", streams ? "total" : "played"];
    if (p && n > 1) names.push(streams ? "without" : "with");
    names.push("bubble");
    if (p || factor > 1) names.push("least");
    names.push("speed");
    if (factor > 1 && n > 1) names.push("slow");
    if (n > 1 && p > slowest) names.push("copies");

    const bars = (spans, kind) => spans.map(([from, to], i) => [from, to, kind, String(i)]);
    const timetable = [];
    for (let j = 0; j < n; j += 1) {
      if (j && p && streams) timetable.push(["", bars(now.copies[j], "P2P"), "sp-thin"]);
      const copying = streams || !p ? [] : [j, j + 1].flatMap(into => bars(now.copies[into] ?? [], "P2P"));
      timetable.push([`stage ${j}`, [...bars(now.tasks[j], "kernel"), ...copying]]);
    }
    rows.draw(timetable, 1.02 * now.total);
    caption.textContent = names.map(name => filled(says[name], values)).join(" ");
  }
});
