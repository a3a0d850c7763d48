// Helpers of the demos' scripts; page.py puts both into one scope, so nothing here is global.

// Enhance what matches, each element once. The whole document is searched, because a script need not sit beside its
// HTML (Colab and VS Code run it apart), and for ten seconds, because it may run before its HTML is in the page.
function enhanceAll(selector, enhance, tries = 100) {
  const found = document.querySelectorAll(`${selector}:not([data-ready])`);
  for (const item of found) {
    item.dataset.ready = "true";
    enhance(item);
  }
  if (!found.length && tries) setTimeout(enhanceAll, 100, selector, enhance, tries - 1);
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  // In command mode JupyterLab and Notebook 7 take arrow keys and letters from whatever has the focus in an output,
  // unless that very element carries this attribute.
  if (["input", "button", "summary"].includes(tag)) made.dataset.lmSuppressShortcuts = "true";
  made.append(...children);
  return made;
}

// One question, one answer: a fieldset of radio buttons. `labels` are nodes or texts.
function choices(question, labels, chosen) {
  const name = `sp-${Math.random()}`;
  const radios = labels.map((label, i) => {
    const radio = element("input", { type: "radio", name });
    radio.addEventListener("change", () => chosen(i));
    return element("label", {}, radio, label);
  });
  return element("fieldset", {}, element("legend", {}, question), ...radios);
}
