// A target's rules: a list of torch's names, and a card for each.

let names = []; // {number, name, answer, family, agree, trouble}
let cards;
let order = [];
let here = null;

const choice = { text: "", family: "", troubled: false, answers: new Set() };

function passes(one) {
  if (!choice.answers.has(one.answer) || (choice.family && one.family !== choice.family)) return false;
  if (choice.troubled && !one.trouble) return false;
  return `${one.name} ${one.trouble}`.toLowerCase().includes(choice.text);
}

function list() {
  const found = names.filter(passes);
  order = found.map((one) => one.number);
  $(".progress").textContent = `${found.length.toLocaleString()} of ${names.length.toLocaleString()} names`;
  const box = $("#names");
  box.replaceChildren();
  if (!found.length) box.append(make("p", { class: "dim" }, "Nothing passes the filter."));
  inBatches(box, found, itemOf);
  showCurrent();
}

function itemOf(one) {
  const count = one.agree ? `${one.agree.toLocaleString()} agree` : one.answer;
  return make(
    "a", { class: "item", href: `#${one.name}`, "data-name": one.name, title: one.trouble || null },
    make("span", {}, one.name), make("span", { class: one.trouble ? "tally nothing" : "tally" }, make("span", {}, count)),
  );
}

function showCurrent() {
  document.querySelector("#names [aria-current]")?.removeAttribute("aria-current");
  if (!here) return;
  const find = () => document.querySelector(`#names [data-name="${CSS.escape(here.name)}"]`);
  if (order.includes(here.number)) drawUntil($("#names"), find);
  const item = find();
  item?.setAttribute("aria-current", "true");
  item?.scrollIntoView({ block: "nearest" });
}

async function route() {
  const wanted = location.hash.slice(1);
  here = names.find((one) => one.name === wanted) ?? null;
  $("#overview").hidden = here !== null;
  $("#name").hidden = here === null;
  document.body.classList.remove("listed");
  if (here) {
    cards ??= await unpack("cards");
    const box = $("#name");
    box.replaceChildren(
      make("h1", {}, here.name),
      make("p", { class: "facts" }, make("span", { class: `badge ${here.answer}` }, here.answer), ` ${here.family}`),
    );
    box.append(cardOf(here.name, cards[here.name]));
  }
  $("main").scrollTop = 0;
  showCurrent();
}

function step(by) {
  if (!order.length) return;
  const at = here ? order.indexOf(here.number) : -1;
  const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
  location.hash = names[order[next]].name;
}

const DOES = {
  side: () => document.body.classList.toggle("listed"),
  back: () => step(-1),
  next: () => step(1),
  help: () => $("#help").showModal(),
};

const KEYS = {
  j: DOES.next, k: DOES.back, "?": DOES.help,
  o: () => (location.hash = ""),
  "/": () => {
    document.body.classList.add("listed");
    $("#filter").focus();
  },
  Escape: () => document.body.classList.remove("listed"),
};

document.addEventListener("click", (event) => {
  const does = event.target.closest("[data-does]")?.dataset.does;
  if (does) return DOES[does]();
  const family = event.target.closest("[data-family]")?.dataset.family;
  if (family) {
    event.preventDefault();
    $("#family").value = choice.family = family;
    list();
    step(1);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("#help").open) return;
  const typing = event.target.matches("input:not([type=checkbox]), select");
  if (typing && (event.key === "Escape" || event.key === "Enter")) event.target.blur();
  if (typing && event.key === "Enter") return step(1);
  const does = typing ? null : KEYS[event.key];
  if (does) {
    event.preventDefault();
    does();
  }
});

document.querySelector(".side").addEventListener("input", () => {
  choice.text = $("#filter").value.trim().toLowerCase();
  choice.family = $("#family").value;
  choice.troubled = $("#troubled").checked;
  choice.answers = new Set([...document.querySelectorAll(".choices [value]:checked")].map((input) => input.value));
  list();
});

addEventListener("hashchange", route);

choice.answers = new Set([...document.querySelectorAll(".choices input[value]")].map((input) => input.value));
if (typeof DecompressionStream === "undefined") {
  $("#overview").prepend(make("p", { class: "warning" }, "This browser is too old to show the rules: it needs DecompressionStream."));
} else {
  unpack("index").then((found) => {
    names = found.map(([name, answer, family, agree, trouble], number) => ({ number, name, answer, family, agree, trouble }));
    list();
    route();
  });
}
