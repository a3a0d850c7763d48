// Turns the still picture of a race into the live one: predict, run, then drag the slider.
enhanceAll("figure.sp-race", figure => {
  const race = JSON.parse(figure.dataset.race);
  const caption = figure.querySelector("figcaption");
  const runs = race.runs, first = race.start;
  const end = Math.max(...runs.flatMap(run => run.lanes.map(lane => lane.end)));
  const share = time => `${100 * time / race.span}%`;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let run = runs[first], guess = null, ran = false, frame = 0, lanes = [];

  const start = element("button", { type: "button", disabled: race.question !== null }, race.question ? "Run" : "Replay");
  const slider = element("input", { type: "range", min: 0, max: runs.length - 1, disabled: true });
  const shown = element("output", { "aria-hidden": "true" }, run.name);  // the slider itself says it
  const field = element("div", { "aria-hidden": "true" });
  slider.value = first;
  slider.setAttribute("aria-valuetext", run.name);

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", race.title);
  figure.querySelector("img").remove();
  if (race.intro) caption.before(element("p", {}, race.intro));
  if (race.question) {
    const { text, options } = race.question;
    const asked = choices(text, options, i => { guess = i; start.disabled = false; });
    asked.className = "sp-choices";
    caption.before(asked);
    caption.textContent = race.question.hint;
  }
  const controls = element("div", { className: "sp-controls" }, start);
  if (runs.length > 1) {
    controls.append(element("label", { className: "sp-steps" }, race.control, slider, shown));
  }
  caption.before(controls, field);

  start.addEventListener("click", play);
  slider.addEventListener("input", () => {
    run = runs[slider.value];
    shown.textContent = run.name;
    slider.setAttribute("aria-valuetext", run.name);
    finish();
  });
  build();
  paint(race.question ? 0 : end);

  function play() {
    cancelAnimationFrame(frame);
    build();
    if (still.matches) return finish();
    const stop = Math.max(...run.lanes.map(lane => lane.end));
    let began;
    figure.dataset.running = "true";
    caption.textContent = race.running;
    frame = requestAnimationFrame(function next(now) {
      began ??= now;
      const time = (now - began) / race.lasts * stop;
      paint(time);
      if (time < stop) frame = requestAnimationFrame(next);
      else finish();
    });
  }

  function finish() {
    cancelAnimationFrame(frame);
    delete figure.dataset.running;
    build();
    paint(end);
    const said = [run.text];
    if (!ran && guess !== null) said.unshift(race.question.said[guess]), said.push(race.question.next);
    ran = true;
    slider.disabled = false;
    caption.textContent = said.join(" ");
  }

  // The lanes of the present run, everything in its place; paint() shows them up to a time.
  function build() {
    const named = run.lanes.some(lane => lane.rows.length > 1);
    const name = text => element("span", { className: named ? "sp-name" : "" }, text);
    lanes = run.lanes.map(lane => {
      const status = element("span"), badge = element("span", { className: "sp-first", hidden: true }, "first");
      const numbers = race.numbers ? element("div", { className: `sp-numbers sp-${lane.side}` }) : "";
      for (let n = 0; n < race.numbers; n++) numbers.append(element("s"));
      const veils = [];
      const rows = lane.rows.map(row => {
        const veil = element("div");
        for (const [kind, from, to, label, busy] of row.segments) {
          const bar = element("i", { className: `sp-${kind}` }, label && element("span", {}, label));
          Object.assign(bar.style, { left: share(from), width: share(to - from), opacity: 0.25 + 0.75 * busy });
          veil.append(bar);
        }
        veils.push(veil);
        const marks = race.grid.map(time => {
          const mark = element("div", { className: "sp-grid" });
          mark.style.left = share(time);
          return mark;
        });
        return element("div", { className: "sp-row" }, name(named ? row.name : ""), element("div", { className: "sp-track" }, ...marks, veil));
      });
      const head = element("div", { className: "sp-head" }, element("b", {}, lane.name), numbers, status, badge);
      const box = element("div", { className: "sp-lane" }, head, ...rows);
      return { lane, box, status, badge, numbers, veils };
    });
    const axis = element("div", { className: "sp-axis" }, ...race.grid.map((time, i) => {
      const mark = element("span", {}, i ? String(time) : `0 ${race.unit}`);
      mark.style.left = share(time);
      return mark;
    }));
    const key = element("div", { className: "sp-key" }, ...race.key.map(([kind, text]) =>
      element("span", {}, element("i", { className: `sp-${kind}` }), text)));
    field.replaceChildren(...lanes.map(lane => lane.box),
      element("div", { className: "sp-row" }, name(""), axis), key);
  }

  function paint(now) {
    const best = Math.min(...run.lanes.map(lane => lane.end));
    for (const { lane, status, badge, numbers, veils } of lanes) {
      const hidden = `inset(0 ${100 - 100 * Math.min(now, lane.end) / race.span}% 0 0)`;
      for (const veil of veils) veil.style.clipPath = hidden;
      status.textContent = now >= lane.end ? lane.done : now > 0 ? doing(lane, now) : "";
      badge.hidden = now < lane.end || lane.end > best;
      if (numbers) fill(numbers.children, lane, now);
    }
  }

  function doing(lane, now) {
    for (const row of lane.rows) {
      const [kind, start] = row.segments.find(([, from, to]) => from <= now && now < to) ?? [];
      const same = row.segments.filter(bar => bar[0] === kind);
      if (work(kind) && race.numbers) return `step ${1 + same.findIndex(bar => bar[1] === start)} of ${same.length}`;
      if (kind) return race.key.find(([known]) => known === kind)[1];
    }
    return "";
  }

  // How many of the numbers the present step has done. A tick is one group: the CPU's is 8 numbers, the GPU's all.
  function fill(cells, lane, now) {
    const steps = lane.rows.flatMap(row => row.segments).filter(([kind, from]) => work(kind) && from <= now);
    const [, from, to] = steps.at(-1) ?? [0, now, now + 1];
    const done = Math.floor(Math.min(Math.floor(now - from), to - from) / (to - from) * cells.length);
    for (let n = 0; n < cells.length; n++) cells[n].classList.toggle("on", n < done);
  }

  function work(kind) {
    return kind === "host" || kind === "kernel";
  }
});
