// The review of a conversion: a list to walk through, both texts of a file side by side, and a card for each site.

const AROUND = 3; // lines shown around what changed

let index, cards;
let looks = []; // {number, file, line, kind, api, detail, key, group}
let order = []; // the numbers of those that pass the filter, as they are walked through
let here = { file: null, look: null, contents: null };
const choice = { kinds: null, text: "", open: false, byFile: false };
const contents = new Map();

// -- what was reviewed: kept in this browser, as long as it lets us ------------------------------------------------------

const reviewed = {
  keys: new Set(),
  kept: true,
  place: () => `migrate review ${index.place}`,
  load() {
    try {
      this.keys = new Set(JSON.parse(localStorage.getItem(this.place()) ?? "[]"));
    } catch {
      this.kept = false;
    }
  },
  set(keys, done) {
    for (const key of keys) done ? this.keys.add(key) : this.keys.delete(key);
    try {
      localStorage.setItem(this.place(), JSON.stringify([...this.keys]));
    } catch {
      this.kept = false;
    }
    tellProgress();
  },
  has(key) {
    return this.keys.has(key);
  },
};

function tellProgress() {
  const asked = looks.filter((look) => !index.kinds[look.kind].calm);
  const sites = asked.filter((look) => reviewed.has(look.key)).length;
  const listed = index.files.filter((file) => file.packed);
  const files = listed.filter((file) => reviewed.has(file.key)).length;
  $(".progress").textContent =
    `reviewed: ${sites.toLocaleString()} of ${asked.length.toLocaleString()} sites, ` +
    `${files.toLocaleString()} of ${listed.length.toLocaleString()} files`;
  $(".kept").textContent = reviewed.kept
    ? "What you have reviewed is kept in this browser."
    : "This browser does not let the page keep what you have reviewed.";
}

// -- the list --------------------------------------------------------------------------------------------------------

function start() {
  looks = index.looks.map(([file, line, kind, api, detail, key, group], number) => ({
    number, file, line, kind, api, detail, key, group: `${kind}\0${group}`,
  }));
  index.files.forEach((file, number) => (file.packed = document.getElementById(`text-${number}`) !== null));
  choice.kinds = new Set(Object.keys(index.kinds).filter((kind) => !index.kinds[kind].calm));
  reviewed.load();
  makeChoices();
  list();
  listFiles();
  tellProgress();
  route();
}

function makeChoices() {
  const box = $(".choices");
  for (const [kind, { title, calm }] of Object.entries(index.kinds)) {
    const count = looks.filter((look) => look.kind === kind).length;
    if (!count) continue;
    const input = make("input", { type: "checkbox", checked: !calm, value: kind });
    input.addEventListener("change", () => {
      input.checked ? choice.kinds.add(kind) : choice.kinds.delete(kind);
      list();
    });
    box.append(make("label", { class: `choice ${kind}` }, input, ` ${title} `, make("span", {}, count.toLocaleString())));
  }
  for (const [name, title] of [["open", "hide reviewed"], ["byFile", "by file"]]) {
    const input = make("input", { type: "checkbox" });
    input.addEventListener("change", () => {
      choice[name] = input.checked;
      list();
    });
    box.append(make("label", { class: "choice" }, input, ` ${title}`));
  }
}

function passes(look) {
  if (!choice.kinds.has(look.kind) || (choice.open && reviewed.has(look.key) && look !== here.look)) return false;
  const text = `${index.files[look.file].path}:${look.line} ${look.api} ${look.detail}`;
  return text.toLowerCase().includes(choice.text);
}

// Group -> its looks, the riskiest kind first and then the most frequent; or file by file.
function groups() {
  const found = new Map();
  for (const look of looks.filter(passes)) {
    const key = choice.byFile ? look.file : look.group;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(look);
  }
  if (choice.byFile) return [...found.values()];
  const kinds = Object.keys(index.kinds);
  return [...found.values()].sort(
    (a, b) => kinds.indexOf(a[0].kind) - kinds.indexOf(b[0].kind) || b.length - a.length,
  );
}

function list() {
  const found = groups();
  order = found.flat().map((look) => look.number);
  const box = $("#looks");
  box.replaceChildren();
  if (!looks.length) box.append(make("p", { class: "dim" }, "Nothing is left to look at."));
  else if (!found.length) box.append(make("p", { class: "dim" }, "Nothing passes the filter."));
  inBatches(box, found, (those) => groupOf(those, found.length === 1));
  showCurrent();
}

function groupOf(those, open) {
  const [first] = those;
  const done = () => those.filter((look) => reviewed.has(look.key)).length;
  const title = choice.byFile
    ? [make("strong", {}, ...visible(index.files[first.file].path))]
    : [badge(first.kind), " ", make("code", {}, isUnknown(first.kind) ? "" : first.api), " ", make("span", { class: "why" }, ...visible(first.detail))];
  const count = make("span", { class: "count dim" }, `${done()}/${those.length}`);
  const group = make("details", { class: "group" }, make("summary", {}, count, ...title));
  group.looks = new Set(those);
  group.recount = () => (count.textContent = `${done()}/${those.length}`);
  group.fill = () => {
    if (group.filled) return;
    group.filled = true;
    inBatches(group, those, itemOf);
  };
  group.addEventListener("toggle", () => group.open && group.fill());
  if (open || group.looks.has(here.look)) {
    group.fill();
    group.open = true;
  }
  return group;
}

function itemOf(look) {
  const path = index.files[look.file].path;
  const [, folder, name] = path.match(/^(.*\/)?(.*)$/s);
  const words = choice.byFile
    ? [badge(look.kind), " ", `${look.line}: ${look.api || look.detail}`]
    : [...visible(name), `:${look.line} `, make("code", {}, isUnknown(look.kind) ? `${look.api} ` : ""), make("span", { class: "why" }, ...visible(folder ?? ""))];
  const link = make("a", { href: addressOf(path, look.line), class: "item", "data-look": look.number }, ...words);
  if (reviewed.has(look.key)) link.classList.add("done");
  return link;
}

function isUnknown(kind) {
  return kind.startsWith("unknown");
}

function badge(kind) {
  return make("span", { class: `badge ${kind}` }, index.kinds[kind]?.title ?? kind);
}

function showCurrent() {
  for (const link of document.querySelectorAll("#looks [aria-current], #files [aria-current]"))
    link.removeAttribute("aria-current");
  const groups = () => [...document.querySelectorAll("#looks .group")];
  if (here.look && order.includes(here.look.number))
    drawUntil($("#looks"), () => groups().some((group) => group.looks.has(here.look)));
  for (const group of groups()) {
    if (!here.look || !group.looks.has(here.look)) {
      if (group.walked) group.open = group.walked = false; // it was opened for a site that is left now
      continue;
    }
    group.fill();
    group.walked ||= !group.open;
    group.open = true;
    const find = () => group.querySelector(`[data-look="${here.look.number}"]`);
    drawUntil(group, find);
    const item = find();
    item?.setAttribute("aria-current", "true");
    item?.scrollIntoView({ block: "nearest" });
  }
  const link = here.file === null ? null : document.querySelector(`#files [data-file="${here.file}"]`);
  link?.setAttribute("aria-current", "true");
}

// -- the files ---------------------------------------------------------------------------------------------------------

function listFiles() {
  const box = $("#files");
  box.replaceChildren();
  const all = index.files.map((file, number) => ({ ...file, number }));
  if (choice.text) {
    const found = all.filter((file) => file.path.toLowerCase().includes(choice.text));
    if (!found.length) box.append(make("p", { class: "dim" }, "No file has this in its path."));
    inBatches(box, found, (file) => fileItem(file, file.path));
    return;
  }
  box.append(...folder(all, 0));
}

// The entries of a folder; those of the folders in it are made when they are opened.
function folder(files, depth) {
  const inner = new Map();
  const own = [];
  for (const file of files) {
    const parts = file.path.split("/");
    if (parts.length === depth + 1) own.push(file);
    else if (inner.has(parts[depth])) inner.get(parts[depth]).push(file);
    else inner.set(parts[depth], [file]);
  }
  const found = [];
  for (const [name, those] of inner) {
    const summary = make("summary", {}, ...visible(`${name}/`), " ", tally(those));
    const box = make("details", { class: "folder" }, summary);
    box.addEventListener("toggle", () => {
      if (box.open && box.children.length === 1) box.append(...folder(those, depth + 1));
    });
    if (inner.size + own.length === 1) {
      box.append(...folder(those, depth + 1));
      box.open = true;
    }
    found.push(box);
  }
  return [...found, ...own.map((file) => fileItem(file, file.path.split("/").at(-1)))];
}

// How many sites of each kind these files have.
function tally(files) {
  const box = make("span", { class: "tally" });
  for (const kind of Object.keys(index.kinds)) {
    const count = files.reduce((sum, file) => sum + (kind === "failed" ? file.status === kind : file.counts[kind] ?? 0), 0);
    if (count) box.append(make("span", { class: kind, title: index.kinds[kind].title }, count.toLocaleString()));
  }
  return box;
}

function fileItem(file, name) {
  const words = [...visible(name), " ", tally([file])];
  if (!file.packed) return make("span", { class: "item dim", title: "no use of torch: as it was" }, ...words);
  const link = make("a", { href: addressOf(file.path), class: "item", "data-file": file.number }, ...words);
  if (reviewed.has(file.key)) link.classList.add("done");
  return link;
}

// -- one file --------------------------------------------------------------------------------------------------------

function addressOf(path, line) {
  return `#${encodeURIComponent(path).replaceAll("%2F", "/")}${line ? `:${line}` : ""}`;
}

async function contentsOf(number) {
  if (!contents.has(number)) {
    const found = index.files[number].packed ? await unpack(`text-${number}`) : { old: "", hunks: [], sites: [] };
    found.old = found.old ? found.old.split("\n") : [];
    found.now = [];
    found.parts = []; // {old: [start, end), now: [start, end), same}
    let at = 0;
    for (const [start, end, lines] of [...found.hunks, [found.old.length, found.old.length, []]]) {
      if (at < start) {
        found.parts.push({ same: true, old: [at, start], now: [found.now.length, found.now.length + start - at] });
        for (const line of found.old.slice(at, start)) found.now.push(line);
      }
      if (start < end || lines.length)
        found.parts.push({ same: false, old: [start, end], now: [found.now.length, found.now.length + lines.length] });
      for (const line of lines) found.now.push(line);
      at = end;
    }
    found.oldColours = colours(found.old.join("\n"));
    found.nowColours = colours(found.now.join("\n"));
    found.at = Map.groupBy ? Map.groupBy(found.sites, (site) => site[0]) : new Map();
    if (!Map.groupBy)
      for (const site of found.sites) found.at.set(site[0], [...(found.at.get(site[0]) ?? []), site]);
    contents.set(number, found);
  }
  return contents.get(number);
}

async function openFile(number, line = 0) {
  if (here.file !== number) {
    const found = await contentsOf(number);
    here = { file: number, look: null, contents: found };
    $("#overview").hidden = true;
    $("#file").hidden = false;
    drawFile(number, found);
  }
  if (line) reveal(line);
  else $("main").scrollTop = 0;
}

function drawFile(number, found) {
  const file = index.files[number];
  const box = $("#file");
  const done = make("input", { type: "checkbox", checked: reviewed.has(file.key) });
  done.addEventListener("change", () => fileReviewed(number, done.checked));
  const counts = Object.entries(file.counts).map(([kind, count]) => `${count} ${index.kinds[kind]?.title ?? kind}`);
  box.replaceChildren(
    make("h1", {}, ...visible(file.path)),
    make(
      "p", { class: "facts" },
      make("span", { class: `badge ${file.status}` }, file.status),
      ` ${[`${file.removed} lines changed to ${file.added}`, ...counts].join(", ")} `,
      make("label", { class: "choice" }, done, " reviewed"), " ",
      make("button", { type: "button", "data-does": "unfold" }, "all lines"),
    ),
  );
  if (file.error) box.append(make("p", { class: "warning" }, ...visible(file.error)));
  const rows = make("div", { class: "rows", role: "table", "aria-label": "torch beside the converted text" });
  rows.append(
    make(
      "div", { class: "row head", role: "row" },
      make("div", { class: "both", role: "columnheader" }, found.old.length ? "torch" : ""),
      make("div", { class: "both", role: "columnheader" }, index.target),
    ),
  );
  found.rows = new Map();
  const wanted = new Set(found.sites.filter((site) => site[4] >= 0 && !index.kinds[site[1]].calm).map((site) => site[0]));
  if (file.status === "failed") wanted.add(looks.find((look) => look.file === number)?.line);
  found.parts.forEach((part, i) => {
    if (part.same) drawSame(rows, found, part, wanted, i > 0, i + 1 < found.parts.length);
    else drawChanged(rows, found, part);
  });
  box.append(rows);
}

// Lines that did not change: those near a change or a site, the rest folded.
function drawSame(rows, found, part, wanted, after, before) {
  const [start, end] = part.old;
  const shift = part.now[0] - start;
  const isNear = (i) => {
    if ((after && i < start + AROUND) || (before && i >= end - AROUND)) return true;
    for (let d = -AROUND; d <= AROUND; d++) if (wanted.has(i + 1 + d)) return true;
    return false;
  };
  for (let i = start; i < end; ) {
    let past = i;
    while (past < end && !isNear(past)) past++;
    if (past - i > AROUND) {
      rows.append(fold(found, i, past, shift));
      i = past;
    } else {
      past = Math.max(past, i + 1);
      for (; i < past; i++) rows.append(rowOf(found, i, i + shift, true));
    }
  }
}

function fold(found, start, end, shift) {
  const button = make("button", { type: "button", class: "fold" }, `${(end - start).toLocaleString()} lines as they were`);
  button.unfold = () => {
    const lines = Array.from({ length: end - start }, (_, i) => rowOf(found, start + i, start + i + shift, true));
    button.replaceWith(...lines);
  };
  button.holds = (line) => start < line && line <= end;
  button.addEventListener("click", button.unfold);
  return button;
}

function drawChanged(rows, found, part) {
  const old = found.old.slice(...part.old);
  const now = found.now.slice(...part.now);
  pairs(old, now).forEach(([i, j], number) => {
    const row = rowOf(found, i === null ? null : part.old[0] + i, j === null ? null : part.now[0] + j, false);
    if (!number) row.dataset.change = "";
    rows.append(row);
  });
}

function rowOf(found, i, j, same) {
  const [spansOld, spansNow] = same || i === null || j === null ? [[], []] : changedWords(found.old[i], found.now[j]);
  const row = make("div", { class: same ? "row same" : "row changed", role: "row" });
  row.append(
    make("div", { class: "number old", role: "cell" }, i === null ? "" : numberOf(found, i + 1)),
    make("div", { class: i === null ? "text old none" : "text old", role: "cell" }, i === null ? "" : painted(found.old[i], found.oldColours[i], spansOld)),
    make("div", { class: "number new", role: "cell" }, j === null ? "" : String(j + 1)),
    make("div", { class: j === null ? "text new none" : "text new", role: "cell" }, j === null ? "" : painted(found.now[j], found.nowColours[j], spansNow)),
  );
  const line = found.old.length ? (i === null ? 0 : i + 1) : j + 1;
  if (line) {
    row.dataset.line = line;
    found.rows.set(line, row);
  }
  return row;
}

// A line's number; a button where torch is used.
function numberOf(found, line) {
  const sites = found.at.get(line);
  if (!sites) return String(line);
  const kinds = [...Object.keys(index.kinds), "helper", "inlined", "static", "same"];
  const worst = kinds.find((kind) => sites.some((site) => site[1] === kind)) ?? "";
  const label = `line ${line}: ${sites.map((site) => `${site[2]} ${site[1]}`).join(", ")}`;
  return make("button", { type: "button", class: `site ${worst}`, "data-site": line, "aria-label": label, title: label }, String(line));
}

// Scroll to a line of the old text, and mark it.
function reveal(line) {
  const { rows } = here.contents;
  if (!rows.has(line))
    for (const button of document.querySelectorAll("#file .fold")) if (button.holds(line)) button.unfold();
  document.querySelector("#file .here")?.classList.remove("here");
  const row = rows.get(line);
  row?.classList.add("here");
  row?.scrollIntoView({ block: "center" });
  return row;
}

// -- one site --------------------------------------------------------------------------------------------------------

async function openLook(look) {
  await openFile(look.file);
  here.look = look;
  await openPanel(look.line, look);
  showCurrent();
  const row = reveal(look.line);
  row?.querySelector("[data-site]")?.focus({ preventScroll: true });
  setAddress(addressOf(index.files[look.file].path, look.line));
}

// The riskiest of a line.
function lookAt(file, line) {
  const kinds = Object.keys(index.kinds);
  const found = looks.filter((look) => look.file === file && look.line === line);
  return found.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))[0] ?? null;
}

function setAddress(address) {
  try {
    history.replaceState(null, "", address || location.pathname);
  } catch {
    // The address stays as it was: all else works.
  }
}

// All sites of a line; the look first that is walked to.
async function openPanel(line, look = null) {
  cards ??= await unpack("cards");
  const panel = $("#panel");
  const path = index.files[here.file].path;
  const close = make("button", { type: "button", "data-does": "close", title: "close (Esc)" }, "×", make("span", { class: "hidden" }, " close"));
  panel.replaceChildren(make("p", { class: "where" }, make("strong", {}, ...visible(path), `:${line}`), " ", placeOf(look), close));
  const sites = here.contents.at.get(line) ?? [];
  const first = sites.filter((site) => look && site[4] === look.number);
  for (const site of [...first, ...sites.filter((site) => !first.includes(site))]) panel.append(siteOf(site));
  if (look?.kind === "failed") panel.append(make("p", { class: "warning" }, ...visible(look.detail)));
  panel.hidden = false;
  panel.scrollTop = 0;
}

function placeOf(look) {
  if (!look) return null;
  const at = order.indexOf(look.number);
  const rest = looks.filter((other) => other.group === look.group).length;
  const same = make("button", { type: "button", "data-does": "group", title: "g" }, `all ${rest} with this reason`);
  const done = make("button", { type: "button", "data-does": "review", title: "r" }, reviewed.has(look.key) ? "reviewed ✓" : "reviewed");
  done.setAttribute("aria-pressed", reviewed.has(look.key));
  return make("span", {}, make("span", { class: "dim" }, at < 0 ? "" : `${at + 1} of ${order.length} `), done, " ", rest > 1 ? same : null);
}

function siteOf([line, outcome, api, detail, number]) {
  const box = make("section", { class: `found ${outcome}` });
  const unknown = isUnknown(outcome);
  const words = index.says[unknown ? "unknown" : outcome] ?? "";
  box.append(make("h3", {}, badge(outcome), " ", make("code", {}, api)));
  const where = outcome === "same" ? detail.replace(/^\((.*)\)$/, "$1") : detail;
  box.append(make("p", {}, words, " ", ...visible(where)));
  const name = unknown ? `torch.Tensor${api}` : api;
  const card = cards[name];
  if (!card) return box;
  if (unknown) box.append(make("p", { class: "dim" }, `If it is a tensor, this is ${name}:`));
  const open = number >= 0 || here.contents.at.get(line).length === 1;
  box.append(make("details", { open }, make("summary", {}, "rule and proof"), cardOf(name, card, where)));
  return box;
}

function closePanel() {
  $("#panel").hidden = true;
}

// -- walking ---------------------------------------------------------------------------------------------------------

function step(by) {
  if (!order.length) return;
  const at = here.look ? order.indexOf(here.look.number) : -1;
  const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
  openLook(looks[order[next]]);
}

function stepFile(by) {
  const listed = index.files.flatMap((file, number) => (file.packed ? [number] : []));
  if (!listed.length) return;
  const at = listed.indexOf(here.file);
  const next = at < 0 ? (by > 0 ? 0 : listed.length - 1) : (at + by + listed.length) % listed.length;
  location.hash = addressOf(index.files[listed[next]].path);
}

function stepChange(by) {
  const top = $("main").getBoundingClientRect().top;
  const rows = [...document.querySelectorAll("#file [data-change]")];
  const tops = rows.map((row) => row.getBoundingClientRect().top - top);
  const next = by > 0 ? tops.findIndex((y) => y > 81) : tops.findLastIndex((y) => y < 79);
  if (next >= 0) $("main").scrollTop += tops[next] - 80;
}

function review() {
  const { look } = here;
  if (!look) return;
  const done = !reviewed.has(look.key);
  reviewed.set([look.key], done);
  refresh();
  if (done) step(1);
}

function reviewGroup() {
  const { look } = here;
  if (!look) return;
  const those = looks.filter((other) => other.group === look.group);
  reviewed.set(those.map((other) => other.key), !those.every((other) => reviewed.has(other.key)));
  refresh();
}

function fileReviewed(number, done) {
  reviewed.set([index.files[number].key], done);
  refresh();
}

// What the lists and the panel say of what was reviewed.
function refresh() {
  for (const link of document.querySelectorAll("#looks .item"))
    link.classList.toggle("done", reviewed.has(looks[link.dataset.look].key));
  for (const group of document.querySelectorAll("#looks .group")) group.recount();
  for (const link of document.querySelectorAll("#files a.item"))
    link.classList.toggle("done", reviewed.has(index.files[link.dataset.file].key));
  if (here.look && !$("#panel").hidden) openPanel(here.look.line, here.look);
}

function overview() {
  here = { file: null, look: null, contents: null };
  $("#overview").hidden = false;
  $("#file").hidden = true;
  closePanel();
  showCurrent();
  $("main").scrollTop = 0;
}

// What the address asks for: `#path`, `#path:line`, nothing.
async function route() {
  let wanted = location.hash.slice(1);
  try {
    wanted = decodeURIComponent(wanted);
  } catch {
    wanted = "";
  }
  const [, path, line] = wanted.match(/^(.*):(\d+)$/s) ?? [null, wanted, 0];
  let number = index.files.findIndex((file) => file.path === wanted);
  if (number >= 0) return show(number, 0);
  number = index.files.findIndex((file) => file.path === path);
  return number >= 0 ? show(number, Number(line)) : overview();
}

async function show(number, line) {
  const look = lookAt(number, line);
  document.body.classList.remove("listed");
  if (look) return openLook(here.look?.file === number && here.look.line === line ? here.look : look);
  await openFile(number, line);
  here.look = null;
  if (line && here.contents.at.has(line)) await openPanel(line);
  else closePanel();
  showCurrent();
}

function tab(name) {
  for (const one of ["looks", "files"]) {
    $(`#tab-${one}`).setAttribute("aria-selected", one === name);
    $(`#tab-${one}`).tabIndex = one === name ? 0 : -1;
    $(`#${one}`).hidden = one !== name;
  }
}

const DOES = {
  looks: () => tab("looks"),
  files: () => tab("files"),
  side: () => document.body.classList.toggle("listed"),
  back: () => step(-1),
  next: () => step(1),
  help: () => $("#help").showModal(),
  close: closePanel,
  review,
  group: reviewGroup,
  unfold: () => document.querySelectorAll("#file .fold").forEach((button) => button.unfold()),
};

const KEYS = {
  j: DOES.next, k: DOES.back, r: review, g: reviewGroup, e: DOES.unfold, "?": DOES.help,
  n: () => stepChange(1), p: () => stepChange(-1), "]": () => stepFile(1), "[": () => stepFile(-1),
  v: () => {
    if (here.file === null) return;
    const done = !reviewed.has(index.files[here.file].key);
    fileReviewed(here.file, done);
    if (done) stepFile(1);
    else document.querySelector("#file .facts input").checked = false;
  },
  f: () => tab($("#looks").hidden ? "looks" : "files"),
  o: () => (location.hash ? (location.hash = "") : overview()),
  "/": () => {
    document.body.classList.add("listed");
    $("#filter").focus();
  },
  Escape: () => {
    if (document.body.classList.contains("listed")) document.body.classList.remove("listed");
    else closePanel();
  },
};

document.addEventListener("click", (event) => {
  const { target } = event;
  const does = target.closest("[data-does]")?.dataset.does;
  if (does) return DOES[does]();
  const item = target.closest("[data-look]");
  if (item && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    document.body.classList.remove("listed");
    return openLook(looks[item.dataset.look]);
  }
  const kind = target.closest("[data-kind]")?.dataset.kind;
  if (kind) {
    event.preventDefault();
    for (const input of document.querySelectorAll(".choices [value]:checked, .choices [value]"))
      if (input.value !== "on") {
        input.checked = input.value === kind;
        input.checked ? choice.kinds.add(input.value) : choice.kinds.delete(input.value);
      }
    here.look = null;
    list();
    return step(1);
  }
  const site = target.closest("[data-site]")?.dataset.site;
  if (site) {
    const line = Number(site);
    const look = lookAt(here.file, line);
    if (look) return openLook(look);
    here.look = null;
    reveal(line);
    setAddress(addressOf(index.files[here.file].path, line));
    return openPanel(line);
  }
  const number = target.closest(".number.old")?.parentElement.dataset.line;
  if (number) location.hash = addressOf(index.files[here.file].path, number);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("#help").open) return;
  const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
  if (typing && event.key === "Escape") event.target.blur();
  if (typing && event.key === "Enter") {
    event.target.blur();
    here.look = null;
    return step(1);
  }
  const does = typing ? null : KEYS[event.key];
  if (does) {
    event.preventDefault();
    does();
  }
});

for (const button of document.querySelectorAll("[role=tab]"))
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    tab($("#looks").hidden ? "looks" : "files");
    document.querySelector("[role=tab][aria-selected=true]").focus();
  });

let waiting = 0;
$("#filter").addEventListener("input", (event) => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    choice.text = event.target.value.trim().toLowerCase();
    list();
    listFiles();
  }, 80);
});

addEventListener("hashchange", route);

if (typeof DecompressionStream === "undefined") {
  $("#overview").prepend(make("p", { class: "warning" }, "This browser is too old to show the texts side by side: it needs DecompressionStream."));
} else {
  unpack("index").then((found) => {
    index = found;
    start();
  });
}
