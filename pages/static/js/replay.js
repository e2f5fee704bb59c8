// Moves through a deal card by card. Without this script, a replay is a list of its tricks.
//
//   <div data-replay>          one or two tables, with the texts to show: SEAT, CARD, LEGAL and HELD are filled in
//     [data-bar]               the buttons ([data-go]), the choice of a trick, and a line that says what happens
//     [data-row]               a trick: for each table a [data-trick] with its cards ([data-played]) and its end
//     [data-state]             one for each table: what both sides have, and a template with the hands
//
// Arrow keys move by a card, with Shift by a trick; Home and End go to the ends. A finger swipes over the table. The
// address names the trick, so that it can be sent to somebody.
class Replay {
  constructor(root) {
    this.root = root;
    this.rows = [...root.querySelectorAll("[data-row]")].map((row) => ({ row, tables: tablesOf(row) }));
    this.states = [...root.querySelectorAll("[data-state]")];
    this.counts = this.states.map((state) => state.querySelector("[data-count]").innerHTML);
    this.said = root.querySelector("[data-said]");
    this.choice = root.querySelector("[data-choose]");
    // The number of cards that have been played before each trick, and after the last one.
    this.starts = [0];
    for (const { tables } of this.rows) {
      this.starts.push(this.starts.at(-1) + Math.max(...tables.map(({ cards }) => cards.length)));
    }
    this.count = this.starts.at(-1);
    for (const state of this.states) {
      const hands = state.querySelector("template");
      if (hands) state.append(hands.content);
    }
    root.classList.add("is-moving");
    for (const each of root.querySelectorAll("[data-bar], [data-states]")) each.hidden = false;
    this.listen();
    const linked = this.find(location.hash);
    this.show(linked < 0 ? 1 : this.starts[linked + 1]);
    if (linked >= 0) root.scrollIntoView({ block: "start" });
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.go(button.dataset.go);
      if (!event.target.closest(".replay-number a") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault(); // the page is here already
      this.go("end-of-trick");
    });
    this.choice.addEventListener("change", () => this.move(this.starts[this.choice.selectedIndex + 1]));
    this.root.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.choice) return;
      const by = event.shiftKey ? "trick-" : "";
      const way = { ArrowLeft: `${by}back`, ArrowRight: `${by}on`, Home: "first", End: "last" }[event.key];
      if (!way) return;
      event.preventDefault();
      this.go(way);
    });
    let from = null;
    this.root.addEventListener("touchstart", ({ touches, target }) => {
      from = touches.length === 1 && target.closest(".replay-cells, .replay-hand") ? touches[0] : null;
    }, { passive: true });
    this.root.addEventListener("touchend", ({ changedTouches }) => {
      if (!from) return;
      const [across, down] = [changedTouches[0].clientX - from.clientX, changedTouches[0].clientY - from.clientY];
      from = null;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) this.go(across < 0 ? "on" : "back");
    });
    addEventListener("hashchange", () => {
      const linked = this.find(location.hash);
      if (linked >= 0) this.show(this.starts[linked + 1]);
    });
  }

  // Return the place of the trick with this anchor, or -1.
  find(hash) {
    return this.rows.findIndex(({ row }) => `#${row.id}` === hash);
  }

  go(way) {
    const at = this.at;
    const to = {
      back: at - 1,
      on: at + 1,
      "trick-back": this.starts.findLast((start) => start < at),
      "trick-on": this.starts.find((start) => start > at),
      "end-of-trick": this.starts[this.place + 1],
      first: 0,
      last: this.count,
    }[way];
    this.move(to ?? at);
  }

  // Show the table after so many cards, and put the trick into the address.
  move(at) {
    this.show(at);
    history.replaceState(history.state, "", this.rows[this.place].row.querySelector(".replay-number a").href);
  }

  show(at) {
    this.at = Math.min(Math.max(at, 0), this.count);
    this.place = Math.max(this.starts.findLastIndex((start) => start < this.at), 0);
    const here = this.at - this.starts[this.place];
    this.rows.forEach(({ row, tables }, place) => {
      row.classList.toggle("is-away", place !== this.place);
      if (place === this.place) for (const table of tables) deal(table, here);
    });
    this.choice.selectedIndex = this.place;
    this.states.forEach((state, number) => this.tell(state, number, here));
    const { tables } = this.rows[this.place];
    this.said.textContent = tables.map((table) => this.say(table, here)).filter(unlike).join(" ");
    for (const button of this.root.querySelectorAll("[data-go]")) {
      const ends = button.dataset.go.endsWith("on") ? this.count : 0;
      button.setAttribute("aria-disabled", String(this.at === ends));
    }
  }

  // Show what both sides have, and the hands, at one table after `here` cards of the trick.
  tell(state, number, here) {
    const before = this.rows.slice(0, this.place).map(({ tables }) => tables[number]);
    const now = this.rows[this.place].tables[number];
    const after = this.rows[this.place + 1]?.tables[number];
    const over = now.end && here >= now.cards.length ? [...before, now] : before;
    const count = over.findLast((trick) => trick.count)?.count.outerHTML ?? this.counts[number];
    state.querySelector("[data-count]").innerHTML = count;
    const gone = [...before.flatMap(({ cards }) => cards), ...now.cards.slice(0, here)].map(nameOf);
    const next = now.cards[here] ?? after?.cards[0];
    const legal = next ? (now.cards[here] ? now : after).legal(nameOf(next)) : [];
    for (const hand of state.querySelectorAll("[data-hand]")) {
      const turn = next?.dataset.seat === hand.dataset.hand;
      const cards = [...hand.querySelectorAll("[data-card]")];
      hand.classList.toggle("to-play", turn);
      for (const card of cards) card.hidden = gone.includes(card.dataset.card);
      const held = cards.filter((card) => !card.hidden).length;
      for (const card of cards) {
        // If every card is legal, none is marked.
        card.classList.toggle("is-legal", turn && legal.length < held && legal.includes(card.dataset.card));
      }
      const text = this.root.dataset.saidLegal.replace("LEGAL", legal.length).replace("HELD", held);
      hand.querySelector("[data-legal-count]").textContent = turn && legal.length ? text : "";
    }
  }

  // Return what happens at a table, in words.
  say(table, here) {
    const card = table.cards[Math.min(here, table.cards.length) - 1] ?? table.cards[0];
    if (!card) return "";
    const text = here ? this.root.dataset.saidPlayed : this.root.dataset.saidTurn;
    const trick = here < 2 ? `${this.choice.selectedOptions[0].text.trim()}. ` : "";
    const played = trick + text
      .replace("SEAT", card.querySelector("abbr").title)
      .replace("CARD", card.querySelector("svg").getAttribute("aria-label"));
    return here >= table.cards.length && table.won ? `${played} ${table.won}` : played;
  }
}

const SWIPE = 40; // pixels that a finger moves at least

const nameOf = (card) => card.dataset.played;
const unlike = (text, place, texts) => texts.indexOf(text) === place;

const tablesOf = (row) =>
  [...row.querySelectorAll("[data-trick]")].map((trick) => ({
    cards: [...trick.querySelectorAll("[data-played]")],
    end: trick.querySelector("[data-end]"),
    count: trick.querySelector("[data-so-far]"),
    won: trick.querySelector("[data-won]")?.textContent.trim().replace(/\s+/g, " ") ?? "",
    faults: [...trick.querySelectorAll("[data-fault]")],
    legal: (name) => trick.querySelector(`[data-legal="${name}"]`)?.textContent.split(" ") ?? [],
  }));

// Show the first `here` cards of a trick, and its end when all are played. What is still to come keeps its place.
const deal = ({ cards, end, faults }, here) => {
  cards.forEach((card, place) => {
    card.classList.toggle("to-come", place >= here);
    card.classList.toggle("is-last", place === here - 1);
  });
  end?.classList.toggle("to-come", here < cards.length);
  for (const fault of faults) {
    const card = cards.findIndex((each) => nameOf(each) === fault.dataset.fault);
    fault.classList.toggle("to-come", card >= here);
  }
};

for (const root of document.querySelectorAll("[data-replay]")) new Replay(root);
