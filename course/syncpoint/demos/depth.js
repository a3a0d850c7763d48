// Turns the still picture of the loop's depth into the live one: two sliders, a chart, a table, a sentence.
enhanceAll("figure.sp-depth", figure => {
  const depth = JSON.parse(figure.dataset.depth);
  const caption = figure.querySelector("figcaption");
  const percent = share => `${100 * share}%`;

  const tolerance = slider("Tolerance", 0, depth.tolerances.length - 1, depth.tolerance);
  const layers = slider("Layers", 1, depth.most, depth.value);
  const bars = Array.from({ length: depth.most }, (_, i) => {
    const error = element("i"), size = element("b");
    error.style.height = percent(depth.errors[i + 1]);
    size.style.bottom = percent(depth.sizes[i + 1]);
    return { column: element("div", {}, error, size), error, size };
  });
  const line = element("u"), label = element("em");
  const grid = depth.grid.map(([name, height]) => {
    const mark = element("span", {}, name);
    mark.style.bottom = percent(height);
    return mark;
  });
  const chart = element("div", { className: "sp-chart", "aria-hidden": "true" },
    element("div", { className: "sp-scale" }, ...grid),
    element("div", { className: "sp-bars" }, ...bars.map(bar => bar.column), line, label));
  const axis = element("div", { className: "sp-axis", "aria-hidden": "true" }, "layers 1 to " + depth.most);
  const key = element("div", { className: "sp-key", "aria-hidden": "true" }, ...[
    ["works", "error after this layer"], ["size", "size of its step"], ["idle", "a layer that changes nothing"],
    ["absent", "a step without a layer"],
  ].map(([kind, text]) => element("span", {}, element("i", { className: `sp-${kind}` }), text)));
  const body = element("tbody");
  const table = element("table", {}, element("thead", {}, element("tr", {},
    ...depth.head.map(text => element(text ? "th" : "td", text ? { scope: "col" } : {}, text)))), body);

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", depth.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, depth.title), " ", depth.intro),
    element("div", { className: "sp-controls" }, tolerance.label, layers.label), chart, axis, key, table);
  caption.after(element("p", { className: "sp-note" }, depth.note));
  for (const { input } of [tolerance, layers]) input.addEventListener("input", show);
  show();

  function show() {
    const chosen = depth.tolerances[tolerance.input.value], count = Number(layers.input.value);
    tolerance.say(chosen.name);
    layers.say(String(count));
    bars.forEach(({ error, size }, i) => {
      const layer = i + 1, needed = layer <= chosen.steps;
      error.className = layer > count ? (needed ? "sp-absent" : "sp-beyond") : needed ? "sp-works" : "sp-idle";
      error.style.height = percent(depth.errors[Math.min(layer, chosen.steps)]);
      size.hidden = !needed;
    });
    line.style.bottom = label.style.bottom = percent(chosen.height);
    label.textContent = `tolerance ${chosen.name}`;
    const mine = [`${count} layer${count > 1 ? "s" : ""}`, ...chosen.layers[count]];
    body.replaceChildren(...[...chosen.loops, mine].map(row => element("tr", {},
      ...row.map((text, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, text)))));
    caption.textContent = chosen.said[count];
  }

  function slider(name, min, max, value) {
    const input = element("input", { type: "range", min, max });
    input.value = value;
    const shown = element("output");
    const say = text => { shown.textContent = text; input.setAttribute("aria-valuetext", text); };
    return { input, say, label: element("label", { className: "sp-slider" }, element("span", {}, name), input, shown) };
  }
});
