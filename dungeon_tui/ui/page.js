"use strict";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

function start(data) {
  const part = (id) => document.getElementById(id);
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const links = [...document.querySelectorAll("#moves a")];
  const kinds = data.judged.map(([, fault]) => fault);
  const worst = kinds.includes("mistake") ? "mistake" : "slip";
  const parentOf = (number) => number ? data.parents[number - 1] : -1;
  const next = data.turns.map(() => []);  // turns by number: those of the game are its plies, then come variations
  data.parents.forEach((parent, index) => next[parent].push(index + 1));
  let line = [], turn = 0, timer = 0, hasDistances = false;

  const element = (name, classes, text) => {
    const made = document.createElement(name);
    made.className = classes;
    made.textContent = text;
    return made;
  };

  const bars = data.judged.map(([height, fault], index) => {
    const bar = element("i", fault, "");
    bar.style.height = `${Math.max(3, 100 * height)}%`;
    bar.addEventListener("click", () => goTo(index));
    return bar;
  });

  function enter(number) {
    if (number > data.last && line.includes(number)) return;  // a turn of the game leads back to the game
    line = [];
    for (let each = number; each >= 0; each = parentOf(each)) line.unshift(each);
    for (let each = number; next[each].length && each !== data.last; line.push(each)) each = next[each][0];
  }

  function link(number, text) {
    const made = element("a", "", text);
    made.href = `#t=${number}`;
    return made;
  }

  function show(ply) {
    turn = Math.max(0, Math.min(line.length - 1, ply));
    const number = line[turn], last = line.length - 1;
    const [facts, lines, plain, distances] = data.turns[number];
    const pieces = [];
    for (const row of hasDistances && distances.length ? distances : plain) {
      if (pieces.length) pieces.push("\n");
      const [text, styles] = data.rows[row];
      const characters = [...text], cells = [...styles];
      for (let start = 0, end; start < cells.length; start = end) {
        for (end = start + 1; cells[end] === cells[start]; end++);
        const number = letters.indexOf(cells[start]);
        const style = data.styles[number < 0 ? cells[start].codePointAt(0) - 0x100 : number];
        pieces.push(element("span", style, characters.slice(start * data.columns, end * data.columns).join("")));
      }
    }
    const map = part("map");
    map.replaceChildren(...pieces);
    const you = map.querySelector(data.you)?.getBoundingClientRect();
    if (you) map.scrollLeft += you.left - map.getBoundingClientRect().left - map.clientWidth / 2;
    part("facts").textContent = data.facts[facts];
    part("messages").replaceChildren(...lines.map((line) => element("p", `m${data.lines[line][0]}`, data.lines[line][1])));
    Object.assign(part("timeline"), {max: last, value: turn});
    const sides = data.sides.length || 1, side = sides > 1 && turn ? `, ${data.sides[(turn - 1) % sides]}` : "";
    const count = `${sides > 1 ? "Move" : "Turn"} ${Math.ceil(turn / sides)} of ${Math.ceil(last / sides)}`;
    part("turn").textContent = count + side + (turn ? `: ${data.moves[number - 1]}` : "");
    part("turn").href = `#t=${number}`;
    part("verdict").textContent = number <= data.last && bars.length ? data.judged[number][2] : "";
    const ways = next[number].filter((each) => each !== line[turn + 1]).map((each) => link(each, data.moves[each - 1]));
    if (ways.length) ways.unshift(number > data.last ? "Another move: " : "Another move (v): ");
    if (number > data.last) ways.unshift("A variation. ", link(gameTurn(number), "Back to the game (v)"), " ");
    part("variations").replaceChildren(...ways.flatMap((way) => [way, " "]));
    bars.forEach((bar, index) => bar.classList.toggle("now", index === number));
    links.forEach((each) => each.classList.toggle("now", each.hash === `#t=${number}`));
    if (turn === last) pause();
  }

  function gameTurn(number) {
    while (number > data.last) number = parentOf(number);
    return number;
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    part("play").textContent = "Play";
  }

  function play() {
    if (timer) return pause();
    if (turn === line.length - 1) show(0);
    timer = setInterval(() => show(turn + 1), 250);
    part("play").textContent = "Pause";
  }

  function go(ply) {
    pause();
    show(ply);
  }

  function goTo(number) {
    number = Math.max(0, Math.min(data.turns.length - 1, number));
    enter(number);
    go(line.indexOf(number));
  }

  function goToFault(steps) {
    const now = gameTurn(line[turn]);
    for (let found = now + steps; found >= 0 && found <= data.last; found += steps) if (kinds[found] === worst) return goTo(found);
  }

  function vary() {
    const number = line[turn], other = next[number].find((each) => each !== line[turn + 1]);
    if (number > data.last) goTo(gameTurn(number));
    else if (other) goTo(other);
  }

  function showDistances() {
    hasDistances = !hasDistances;
    part("distances").setAttribute("aria-pressed", hasDistances);
    show(turn);
  }

  function follow() {
    const found = /^#t=(\d+)$/.exec(location.hash);
    goTo(found ? Number(found[1]) : 0);
  }

  const actions = {
    ArrowLeft: () => go(turn - 1), ArrowRight: () => go(turn + 1), Home: () => go(0), End: () => go(line.length - 1), " ": play,
    "{": () => goToFault(-1), "}": () => goToFault(1), v: vary, o: showDistances,
  };
  for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["play", " "], ["next", "ArrowRight"], ["last", "End"], ["distances", "o"]])
    part(id).addEventListener("click", actions[key]);
  part("timeline").addEventListener("input", () => go(Number(part("timeline").value)));
  addEventListener("click", (event) => {
    const found = event.target.closest('a[href^="#t="]');
    if (found) goTo(Number(found.hash.slice(3)));
  });
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in actions)) return;
    if (event.key === " " && ["BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
    event.preventDefault();
    actions[event.key]();
  });
  part("curve").replaceChildren(...bars);
  part("distances").hidden = !data.distances;
  part("distances").title = `${data.distances} (o)`;
  part("fault").hidden = !kinds.includes(worst);
  part("fault").addEventListener("click", () => {
    if (kinds.indexOf(worst, gameTurn(line[turn]) + 1) < 0) goTo(0);
    goToFault(1);
  });
  const details = document.querySelector("details");
  details.open = false;
  addEventListener("beforeprint", () => { details.open = true; });
  addEventListener("afterprint", () => { details.open = false; });
  part("controls").hidden = false;
  follow();
}

unpacked(document.getElementById("data").textContent).then(start);
