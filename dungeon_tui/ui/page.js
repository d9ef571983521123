"use strict";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

function start(data) {
  const part = (id) => document.getElementById(id);
  const last = data.turns.length - 1;
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const steps = [...part("moves").children];
  const kinds = data.judged.map(([, fault]) => fault);
  const worst = kinds.includes("mistake") ? "mistake" : "slip";
  let turn = 0, timer = 0;

  const element = (name, classes, text) => {
    const made = document.createElement(name);
    made.className = classes;
    made.textContent = text;
    return made;
  };

  const bars = data.judged.map(([height, fault], index) => {
    const bar = element("i", fault, "");
    bar.style.height = `${Math.max(3, 100 * height)}%`;
    bar.addEventListener("click", () => go(index));
    return bar;
  });

  function show(number) {
    turn = Math.max(0, Math.min(last, number));
    const [facts, lines, rows] = data.turns[turn];
    const pieces = [];
    for (const row of rows) {
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
    part("map").replaceChildren(...pieces);
    part("facts").textContent = data.facts[facts];
    part("messages").replaceChildren(...lines.map((line) => element("p", `m${data.lines[line][0]}`, data.lines[line][1])));
    part("timeline").value = turn;
    part("turn").textContent = `Turn ${turn} of ${last}` + (turn ? `: ${data.moves[turn - 1]}` : "");
    part("turn").href = `#t=${turn}`;
    part("verdict").textContent = bars.length ? data.judged[turn][2] : "";
    bars.forEach((bar, index) => bar.classList.toggle("now", index === turn));
    steps.forEach((step, index) => step.classList.toggle("now", index === turn - 1));
    if (turn === last) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    part("play").textContent = "Play";
  }

  function play() {
    if (timer) return pause();
    if (turn === last) show(0);
    timer = setInterval(() => show(turn + 1), 250);
    part("play").textContent = "Pause";
  }

  function go(number) {
    pause();
    show(number);
  }

  function goToFault(steps) {
    for (let next = turn + steps; next >= 0 && next <= last; next += steps) if (kinds[next] === worst) return go(next);
  }

  function follow() {
    const found = /^#t=(\d+)$/.exec(location.hash);
    go(found ? Number(found[1]) : 0);
  }

  const actions = {
    ArrowLeft: () => go(turn - 1), ArrowRight: () => go(turn + 1), Home: () => go(0), End: () => go(last), " ": play,
    "{": () => goToFault(-1), "}": () => goToFault(1),
  };
  for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["play", " "], ["next", "ArrowRight"], ["last", "End"]])
    part(id).addEventListener("click", actions[key]);
  part("timeline").max = last;
  part("timeline").addEventListener("input", () => go(Number(part("timeline").value)));
  steps.forEach((step, index) => step.addEventListener("click", () => go(index + 1)));
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in actions)) return;
    if (event.key === " " && ["BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
    event.preventDefault();
    actions[event.key]();
  });
  part("curve").replaceChildren(...bars);
  part("fault").hidden = !kinds.includes(worst);
  part("fault").addEventListener("click", () => {
    if (kinds.indexOf(worst, turn + 1) < 0) go(-1);
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
