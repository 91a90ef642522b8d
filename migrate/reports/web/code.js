// What pages share: packed data, elements, Python's colours, what changed within a line.

async function unpack(id) {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// make("a", {class: "x", href: "#y"}, "text", node): all that comes from outside becomes text, never markup.
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

const $ = (selector) => document.querySelector(selector);
const BATCH = 200; // entries of a list that are made at once

// The first of many, and a button for the rest.
function inBatches(box, items, makeOne, from = 0) {
  box.append(...items.slice(from, from + BATCH).map(makeOne));
  const left = items.length - from - BATCH;
  if (left <= 0) return;
  const more = make("button", { type: "button", class: "more" }, `${left.toLocaleString()} more`);
  more.addEventListener("click", () => {
    more.remove();
    inBatches(box, items, makeOne, from + BATCH);
  });
  box.append(more);
}

// Draw on in a list until it holds what is looked for.
function drawUntil(box, find) {
  for (let more; !find() && (more = box.querySelector(":scope > .more")); ) more.click();
}

const PYTHON = new RegExp(
  [
    /(?<comment>#[^\n]*)/,
    /(?<string>(?:\b[rbfutRBFUT]{1,2})?(?:'''(?:\\[^]|(?!''')[^\\])*(?:'''|$)|"""(?:\\[^]|(?!""")[^\\])*(?:"""|$)|'(?:\\[^]|[^'\\\n])*'?|"(?:\\[^]|[^"\\\n])*"?))/,
    /(?<decorator>(?<=^[ \t]*)@[\w.]+)/,
    /(?<keyword>\b(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b)/,
    /(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?j?)\b)/,
    /[^\W\d]\w*/,
  ]
    .map((part) => part.source)
    .join("|"),
  "gm",
);
const KINDS_OF_TEXT = { comment: "c", string: "s", decorator: "d", keyword: "k", number: "n" };

// For each line of a text: [start, end, class] of what is coloured.
function colours(text) {
  const lines = text.split("\n").map(() => []);
  let line = 0;
  let lineStart = 0;
  for (const match of text.matchAll(PYTHON)) {
    const kind = Object.keys(KINDS_OF_TEXT).find((name) => match.groups[name] !== undefined);
    if (!kind) continue;
    for (let end; (end = text.indexOf("\n", lineStart)) >= 0 && end < match.index; lineStart = end + 1) line += 1;
    let at = match.index;
    for (const piece of match[0].split("\n")) {
      if (at !== match.index) {
        line += 1;
        lineStart = at;
      }
      if (piece) lines[line].push([at - lineStart, at - lineStart + piece.length, KINDS_OF_TEXT[kind]]);
      at += piece.length + 1;
    }
  }
  return lines;
}

// Characters that change how a line looks and not what it does, or the other way round: shown by their number.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(text, kind) {
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    pieces.push(text.slice(from, match.index));
    const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    pieces.push(make("span", { class: "control" }, `U+${code}`));
    from = match.index + 1;
  }
  pieces.push(text.slice(from));
  return kind ? make("span", { class: kind }, ...pieces) : pieces;
}

// A line with its colours, and its changed spans in <mark>.
function painted(text, coloured, changed = []) {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of [...coloured, ...changed]) cuts.add(start).add(end);
  const points = [...cuts].sort((a, b) => a - b);
  const found = document.createDocumentFragment();
  let mark = null;
  for (let i = 0; i + 1 < points.length; i++) {
    const [start, end] = [points[i], points[i + 1]];
    const kind = coloured.find((span) => span[0] <= start && end <= span[1])?.[2];
    const inside = changed.some((span) => span[0] <= start && end <= span[1]);
    if (inside && !mark) found.append((mark = make("mark")));
    if (!inside) mark = null;
    (mark ?? found).append(...[visible(text.slice(start, end), kind)].flat());
  }
  return found;
}

const WORDS = /[^\W_]+|_+|\s+|[^\w\s]/g;
const WORTH_MATCHING = 40000; // pairs of words

// [spans of the old line, spans of the new one] that differ, word by word; none where hardly anything is common.
function changedWords(old, now) {
  const a = old.match(WORDS) ?? [];
  const b = now.match(WORDS) ?? [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [n, m] = [a.length - head - tail, b.length - head - tail];
  const keepOld = a.map((_, i) => i < head || i >= a.length - tail);
  const keepNew = b.map((_, i) => i < head || i >= b.length - tail);
  if (n * m <= WORTH_MATCHING) {
    // The longest common subsequence of what is between.
    const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
    for (let i = n - 1; i >= 0; i--)
      for (let j = m - 1; j >= 0; j--)
        best[i][j] =
          a[head + i] === b[head + j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    for (let i = 0, j = 0; i < n && j < m; ) {
      if (a[head + i] === b[head + j]) {
        keepOld[head + i++] = keepNew[head + j++] = true;
      } else if (best[i + 1][j] >= best[i][j + 1]) i++;
      else j++;
    }
  }
  const common = a.filter((word, i) => keepOld[i] && word.trim()).join("").length;
  if (common * 4 < Math.min(old.trim().length, now.trim().length)) return [[], []];
  return [spans(a, keepOld), spans(b, keepNew)];
}

function spans(words, kept) {
  const found = [];
  let at = 0;
  words.forEach((word, i) => {
    const lone = kept[i] && /^[\s_]+$/.test(word) && i > 0 && !kept[i - 1] && i + 1 < words.length && !kept[i + 1];
    if (!kept[i] || lone) {
      if (found.length && found.at(-1)[1] === at) found.at(-1)[1] = at + word.length;
      else found.push([at, at + word.length]);
    }
    at += word.length;
  });
  return found;
}

// How much of two lines' words is common, 0 to 1.
function likeness(old, now) {
  const a = old.match(/\w+/g) ?? [];
  const counts = new Map();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  const b = now.match(/\w+/g) ?? [];
  let common = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left) {
      common++;
      counts.set(word, left - 1);
    }
  }
  return a.length + b.length ? (2 * common) / (a.length + b.length) : old === now ? 1 : 0;
}

const ALIKE = 0.3;
const WORTH_PAIRING = 4000; // pairs of lines

// Which lines of a changed stretch stand beside each other: [old or null, new or null], numbers in the stretch.
function pairs(old, now) {
  const [n, m] = [old.length, now.length];
  if (n === m || n * m > WORTH_PAIRING)
    return Array.from({ length: Math.max(n, m) }, (_, i) => [i < n ? i : null, i < m ? i : null]);
  const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  const alike = old.map((x) => now.map((y) => likeness(x, y)));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--) {
      const both = alike[i][j] >= ALIKE ? best[i + 1][j + 1] + alike[i][j] : 0;
      best[i][j] = Math.max(both, best[i + 1][j], best[i][j + 1]);
    }
  const found = [];
  for (let i = 0, j = 0; i < n || j < m; ) {
    if (i < n && j < m && alike[i][j] >= ALIKE && best[i][j] === best[i + 1][j + 1] + alike[i][j])
      found.push([i++, j++]);
    else if (j < m && (i === n || best[i][j + 1] >= best[i + 1][j])) found.push([null, j++]);
    else found.push([i++, null]);
  }
  return found;
}
