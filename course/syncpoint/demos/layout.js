// Turns the still picture of a list, an ndarray and a tensor into the live one: choose structure, view and element.
enhanceAll("figure.sp-layout", figure => {
  const layout = JSON.parse(figure.dataset.layout);
  const caption = figure.querySelector("figcaption");
  let structure = layout.structures.indexOf(layout.structure);
  let view = layout.views.findIndex(([name]) => name === layout.view);
  const codes = layout.views.map(([name, code]) => element("span", {}, `${name} `, element("code", {}, code)));
  const structures = choices("Structure", layout.structures, i => { structure = i; show(); });
  const views = choices("View", codes, i => { view = i; show(); });
  structures.querySelectorAll("input")[structure].checked = true;
  views.querySelectorAll("input")[view].checked = true;
  const row = slider("Row", layout.value[0]), column = slider("Column", layout.value[1]);
  const grid = element("div", { className: "sp-grid2" }), memory = element("div", { className: "sp-memory" });
  const stage = element("div", { className: "sp-stage", "aria-hidden": "true" }, grid, memory);

  caption.setAttribute("aria-live", "polite");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", layout.title);
  figure.querySelector("img").remove();
  caption.before(element("p", {}, element("strong", {}, layout.title), ". ", layout.intro),
    element("div", { className: "sp-choose" }, structures, views),
    element("div", { className: "sp-controls" }, row.label, column.label), stage);
  for (const { input } of [row, column]) input.addEventListener("input", show);
  show();

  function show() {
    const shown = layout.shown[`${layout.structures[structure]} ${layout.views[view][0]}`];
    const i = row.upTo(shown.shape[0] - 1), j = column.upTo(shown.shape[1] - 1);
    const path = shown.paths[i][j];
    grid.replaceChildren(element("b", {}, "as you index it"), ...shown.values.map((line, at) => element("div", {},
      ...line.map((text, to) => element("i", { className: at === i && to === j ? "sp-chosen" : "" }, text)))));
    memory.replaceChildren(element("b", {}, "in memory"), ...shown.strips.map((strip, at) => {
      const end = at === shown.strips.length - 1, pointers = shown.strips.length > 1 && !end;
      const boxes = strip.texts.map((text, box) => {
        const chosen = path.some(([s, b]) => s === at && b === box);
        const kind = chosen ? "sp-chosen" : strip.used[box] ? "sp-used" : "sp-unused";
        const made = element("i", { className: `${kind}${pointers ? " sp-pointer" : ""}` }, pointers ? "→" : text);
        made.style.width = pointers || strip.width < 8 ? "1.35rem" : "2.2rem";
        if (strip.gaps[box]) made.classList.add("sp-gap");
        return made;
      });
      return element("div", { className: "sp-strip" },
        element("small", {}, `${strip.name}, from ${strip.start}`), element("div", {}, ...boxes));
    }));
    caption.innerHTML = shown.said[i][j];
  }

  function slider(name, value) {
    const input = element("input", { type: "range", min: 0, max: 3 });
    input.value = value;
    const shown = element("output");
    const upTo = most => {
      const now = Math.min(Number(input.value), most);
      input.max = most;
      input.value = now;
      shown.textContent = String(now);
      return now;
    };
    return { input, upTo, label: element("label", { className: "sp-slider" }, element("span", {}, name), input, shown) };
  }
});
