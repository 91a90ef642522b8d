// What is known of one of torch's names: its rule, and what the rule was checked on.

function codeBlock(text) {
  const coloured = colours(text);
  const block = make("pre", { tabindex: "0" });
  text.split("\n").forEach((line, i) => block.append(i ? "\n" : "", painted(line, coloured[i])));
  return block;
}

// applied: file:line of the overload that was applied, where one is known.
function cardOf(name, card, applied = "") {
  const found = make("div", { class: "card" }, make("p", {}, make("code", {}, name + card.signature)));
  if (card.says) found.append(make("p", {}, card.says));
  const chosen = card.rules.filter(([where]) => where === applied);
  for (const [where, text] of chosen) found.append(make("h3", {}, `Rule applied here: ${where}`), codeBlock(text));
  const others = card.rules.filter(([where]) => where !== applied);
  if (others.length) {
    const title = chosen.length ? `${others.length} other rules for this name` : "Rule";
    const place = chosen.length ? make("details", {}, make("summary", {}, title)) : make("div", {}, make("h3", {}, title));
    for (const [where, text] of others) place.append(make("p", { class: "dim" }, where), codeBlock(text));
    found.append(place);
  }
  for (const [parameter, layout] of Object.entries(card.layouts)) found.append(make("p", {}, `${parameter}: ${layout}`));
  if (card.evidence.length) {
    const lines = card.evidence.map((line) => make("li", {}, ...visible(line)));
    found.append(make("h3", {}, "Proof"), make("ul", { class: "proof" }, ...lines));
  }
  return found;
}
