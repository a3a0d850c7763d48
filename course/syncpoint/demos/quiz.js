// Turns a readable question into a live one: choose, press Check, read the feedback of the choice.
enhanceAll("div.sp-quiz", quiz => {
  const question = quiz.querySelector("strong");
  const texts = [...quiz.querySelectorAll(":scope > p > span")];
  const feedback = [...quiz.querySelectorAll("details > p")];
  let chosen = null;

  const check = element("button", { type: "button", disabled: true }, "Check");
  const said = element("p", { className: "sp-said", "aria-live": "polite" });
  const asked = choices(element("span", {}, ...question.childNodes), texts, i => { chosen = i; check.disabled = false; });
  quiz.replaceChildren(asked, check, said);

  check.addEventListener("click", () => {
    const right = feedback[chosen].dataset.right === "true";
    said.dataset.right = right;
    said.replaceChildren(element("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "),
      ...feedback[chosen].querySelector("span").cloneNode(true).childNodes);
  });
});
