// Turns the still picture of the work queue into the live one: three sliders, two lanes, a sentence.
enhanceAll("figure.sp-queue", figure => {
  const queue = JSON.parse(figure.dataset.queue);
  const caption = figure.querySelector("figcaption");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const lastsMs = 3000;
  let frame = 0, span = 1, end = 1;

  const sliders = queue.sliders.map(([name, options, chosen]) => {
    const input = element("input", { type: "range", min: 0, max: options.length - 1 });
    const shown = element("output", { "aria-hidden": "true" });  // the slider itself says it
    input.value = chosen;
    input.addEventListener("input", show);
    const say = () => { shown.textContent = options[input.value]; input.setAttribute("aria-valuetext", options[input.value]); };
    return { input, say, label: element("label", { className: "sp-slider" }, element("span", {}, name), input, shown) };
  });
  const play = element("button", { type: "button" }, "Play");
  const lanes = [["host", ["launch", "wait"]], ["device", ["kernel"]]].map(([name, kinds]) => {
    const veil = element("div", { className: "sp-veil" });
    const marks = element("div");
    return { kinds, veil, marks, box: element("div", { className: "sp-row" }, element("span", {}, name),
      element("div", { className: "sp-track" }, marks, veil)) };
  });
  const stop = element("u"), flag = element("em", {}, "timer");
  const axis = element("div", { className: "sp-axis" });
  const key = element("div", { className: "sp-key" }, ...[
    ["launch", "the host launches a job"], ["wait", "the host waits"], ["kernel", "the device runs a job"],
    ["stop", "the host is through: a timer stops here"],
  ].map(([kind, text]) => element("span", {}, element("i", { className: `sp-${kind}` }), text)));

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", queue.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, queue.title + "."), " ", queue.intro),
    element("div", { className: "sp-controls" }, ...sliders.map(slider => slider.label), play),
    element("div", { className: "sp-field", "aria-hidden": "true" },
      element("div", { className: "sp-over" }, flag, stop), ...lanes.map(lane => lane.box), axis, key));
  play.addEventListener("click", animate);
  show();

  function show() {
    cancelAnimationFrame(frame);
    delete figure.dataset.running;
    sliders.forEach(slider => slider.say());
    const [kernel, launch, wait] = sliders.map(slider => Number(slider.input.value));
    const chart = queue.charts[kernel * queue.launches + launch], run = chart.runs[wait];
    span = chart.span;
    const lasting = (starts, us) => starts.map((from, i) => [from, from + us, String(i + 1)]);
    const bars = {
      launch: lasting(run.launches, chart.us[0]), kernel: lasting(run.kernels, chart.us[1]),
      wait: run.waits.map(([from, to]) => [from, to, "wait"]),
    };
    end = Math.max(run.end, bars.kernel.at(-1)[1]);
    lanes.forEach(lane => {
      lane.veil.replaceChildren(...lane.kinds.flatMap(kind => bars[kind].map(([from, to, label]) =>
        place(element("i", { className: `sp-${kind}` }, element("span", {}, label)), from, to))));
      lane.marks.replaceChildren(...chart.grid.map(time => place(element("b"), time)));
    });
    axis.replaceChildren(...chart.grid.map((time, i) => place(element("span", {}, i ? String(time) : "0 us"), time)));
    place(stop, run.end);
    place(flag, run.end);
    flag.classList.toggle("sp-left", run.end > 0.8 * span);
    flag.textContent = `timer: ${Math.round(10 * run.end) / 10} us`;
    caption.textContent = run.said;
    paint(end);
  }

  function place(item, from, to) {
    item.style.left = `${100 * from / span}%`;
    if (to !== undefined) item.style.width = `${100 * (to - from) / span}%`;
    return item;
  }

  function paint(now) {
    for (const { veil } of lanes) veil.style.clipPath = now < end ? `inset(0 ${100 - 100 * now / span}% 0 0)` : "";
    const over = now >= parseFloat(stop.style.left) / 100 * span;
    stop.hidden = flag.hidden = !over;
  }

  function animate() {
    show();
    if (still.matches) return;
    figure.dataset.running = "true";
    let began;
    frame = requestAnimationFrame(function next(now) {
      began ??= now;
      const time = (now - began) / lastsMs * end;
      paint(Math.min(time, end));
      if (time < end) frame = requestAnimationFrame(next);
      else delete figure.dataset.running;
    });
  }
});
