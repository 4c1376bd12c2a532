/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zoom, search and keys of the flame graph. The page is XML too: neither less-than nor ampersand may occur here. */
(function () {
  "use strict";
  const section = document.getElementById("flame");
  const picture = section.querySelector("svg.flame");
  const boxes = Array.from(picture.querySelectorAll("svg.call"));
  const [from, ns, depth, parent] = ["from", "ns", "depth", "parent"].map((name) => boxes.map((box) => Number(box.dataset[name])));
  const [search, all, output] = ["input", "button", "output"].map((name) => section.querySelector(name));
  const LABEL = 40; /* pixels */
  let zoomed = 0;
  let current = 0;

  function say(text) {
    output.textContent = text;
  }

  /* Those above the zoomed box are as wide as the picture, those beside it are not shown. */
  function draw() {
    const whole = ns[zoomed];
    boxes.forEach(function (box, i) {
      const above = depth[zoomed] > depth[i];
      const inner = above ? zoomed : i;
      const outer = above ? i : zoomed;
      const inside = from[inner] >= from[outer] ? from[outer] + ns[outer] >= from[inner] + ns[inner] : false;
      const width = above ? 100 : ns[i] / whole * 100;
      box.style.display = inside ? "" : "none";
      box.setAttribute("x", above ? "0%" : (from[i] - from[zoomed]) / whole * 100 + "%");
      box.setAttribute("width", width + "%");
      box.classList.toggle("narrow", LABEL > picture.clientWidth * width / 100);
    });
  }

  function go(i) {
    boxes[current].setAttribute("tabindex", "-1");
    current = i;
    boxes[i].setAttribute("tabindex", "0");
    boxes[i].focus();
    say(boxes[i].querySelector("title").textContent);
  }

  function zoom(i) {
    zoomed = ns[i] > 0 ? i : zoomed;
    draw();
    go(i);
  }

  function seen(i) {
    return boxes[i].style.display === "";
  }

  function move(key) {
    const near = boxes.map((box, i) => i).filter(seen);
    const beside = near.filter((i) => parent[i] === parent[current]);
    const place = beside.indexOf(current);
    const to = { ArrowUp: parent[current], ArrowDown: near.find((i) => parent[i] === current),
                 ArrowLeft: beside[place - 1], ArrowRight: beside[place + 1] }[key];
    if (to >= 0)
      go(to);
  }

  function find() {
    const text = search.value.toLowerCase();
    let found = 0;
    let time = 0;
    let counted = 0;
    boxes.forEach(function (box, i) {
      const has = i > 0 ? box.dataset.name.toLowerCase().includes(text) : text === "";
      box.classList.toggle("dim", !has);
      found += has;
      time += has ? Math.max(from[i] + ns[i] - Math.max(from[i], counted), 0) : 0;
      counted = has ? Math.max(counted, from[i] + ns[i]) : counted;
    });
    say(text === "" ? "" : found + (found === 1 ? " match, " : " matches, ") + (time / ns[0] * 100).toFixed(1) + " % of the time");
  }

  boxes.forEach(function (box, i) {
    box.setAttribute("tabindex", i === 0 ? "0" : "-1");
    box.addEventListener("click", () => zoom(i));
  });
  picture.addEventListener("keydown", function (event) {
    if (event.key.startsWith("Arrow"))
      move(event.key);
    else if (event.key === "Enter")
      zoom(current);
    else if (event.key === "Escape")
      zoom(Math.max(parent[zoomed], 0));
    else
      return;
    event.preventDefault();
  });
  search.addEventListener("input", find);
  all.addEventListener("click", () => zoom(0));
  window.addEventListener("resize", draw);
  section.querySelector(".tools").hidden = false;
  draw();
}());
