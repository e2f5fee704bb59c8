"""The scripts of pages that show something, in node on a stand-in of a browser: clocks, deals, the hall, who one is."""

from tests.node.running import run, scripts  # noqa: F401  (a fixture)

CLOCK = """<section id="desk"><details id="more"></details><div data-clock data-now="2026-11-26T21:00:00Z"
data-ends="2026-11-26T21:01:05Z"><b data-clock-figure></b><i data-clock-over></i><u data-clock-until></u></div>
</section>
<p data-rings="call-1"></p><button data-sound hidden><i data-sound-on></i><i data-sound-off></i></button>"""
ME = """<table><tr data-player="12" id="player-12"><td data-who> Zoé  Martin </td></tr>
<tr data-player="13"><td>Yann</td></tr></table><button data-me="12">me</button><button data-me="13">me</button>
<p data-me-here><a data-me-go></a><a data-me-elsewhere="/club/?me=">elsewhere</a></p>
<button data-me-forget>forget</button><a data-me-pill hidden>up</a>"""


def test_clock_counts_down_rings_once_and_goes_on_above_the_time(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        document.open(page);
        const rung = [];
        document.addEventListener("topage:rung", ({ detail }) => rung.push(detail));
        await import("./js/clock.js");
        const clock = () => document.querySelector("[data-clock]");
        const look = () => [clock().querySelector("[data-clock-figure]").textContent,
          clock().classList.contains("clock-over"),
          ...["over", "until"].map((part) => clock().querySelector(`[data-clock-${part}]`).hidden), rung.length];
        const heard = [look()];
        await pass(400);
        heard.push(look());
        await pass(60_000);
        heard.push(look());
        await pass(4_600);
        heard.push(look());
        await pass(62_000);
        heard.push([...look(), ...rung]);
        const section = document.getElementById("desk");
        document.getElementById("more").setAttribute("open", "");
        const fire = (kind, detail) => section.dispatchEvent(new CustomEvent(kind, { bubbles: true, detail }));
        fire("htmx:beforeSwap");
        document.getElementById("more").removeAttribute("open");
        document.querySelector("[data-rings]").dataset.rings = "call-1 last-3 call-2 last-4";
        const button = document.querySelector("[data-sound]");
        button.hidden = true;
        fire("htmx:afterSettle");
        heard.push([rung.slice(2), document.getElementById("more").open, sessionStorage.getItem("topage-rung")]);
        document.getElementById("more").open = false;
        fire("htmx:afterSettle");
        heard.at(-1).push(document.getElementById("more").open, rung.length);
        const sound = () => [button.hidden, button.getAttribute("aria-pressed"),
          ...button.children.map(({ hidden }) => hidden)];
        heard.push(sound());
        const started = [];
        globalThis.AudioContext = class {
          state = "suspended";
          currentTime = 0;
          destination = {};
          resume = async () => void (this.state = "running");
          suspend = async () => void (this.state = "suspended");
          createOscillator = () => ({ frequency: {}, connect: (to) => to, start: (at) => started.push(at), stop() {} });
          createGain = () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} });
        };
        button.click();
        await settle();
        heard.push([...sound(), sessionStorage.getItem("topage-sound"), started]);
        button.click();
        await settle();
        heard.push([...sound(), sessionStorage.getItem("topage-sound"), rung.at(-1)]);
        sessionStorage.setItem("topage-sound", "on");
        await import("./js/clock.js?again");
        await settle();
        tell([...heard, sound()]);
        """,
        page=CLOCK,
    )
    assert told[:4] == [
        ["1:05", False, True, False, 0],
        ["1:05", False, True, False, 1],
        ["0:05", False, True, False, 1],
        ["0:00", True, False, True, 2],
    ]
    assert told[4] == ["+1:02", True, False, True, 2, "call", "end"]
    assert told[5] == [["last", "call"], True, '["call-1","last-3","call-2","last-4"]', False, 4]
    assert told[6] == [False, "false", True, False]
    assert told[7][:5] == [False, "true", False, True, "on"]
    assert [round(at, 3) for at in told[7][5]] == [0, 0.225, 0.45, 0.675]
    assert told[8] == [False, "false", True, False, "off", "call"]
    assert told[9] == [False, "true", False, True]


def test_each_ring_has_its_own_sound(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        const played = [];
        globalThis.AudioContext = class {
          state = "suspended";
          currentTime = 2;
          destination = "out";
          resume = async () => void (this.state = "running");
          createOscillator = () => {
            const source = { frequency: {}, connect: (to) => to, start: (at) => played.push([source.type,
              source.frequency.value, at, ...source.volume]), stop: (at) => played.at(-1).push(at) };
            this.made = source;
            return source;
          };
          createGain = () => {
            const volume = this.made.volume = [];
            const keep = (value, at) => volume.push(value, at);
            const gain = { setValueAtTime: keep, exponentialRampToValueAtTime: keep };
            return { gain, connect: (to) => volume.push(to) };
          };
        };
        sessionStorage.setItem("topage-sound", "on");
        document.open(page.replace('"call-1"', '"call-1 last-2"'));
        await import("./js/clock.js");
        await pass(400);
        const rings = [played.splice(0)];
        document.querySelector("[data-rings]").dataset.rings = "last-3";
        document.dispatchEvent(new Event("htmx:afterSettle"));
        rings.push(played.splice(0));
        await pass(65_000);
        tell([...rings, played].map((each) => each.map((ring) => ring.map((told) => (Number.isFinite(told) ?
          Number(told.toFixed(4)) : told)))));
        """,
        page=CLOCK,
    )

    def sound(tone, length, begins):
        volume = [0.0001, begins, 0.8, begins + 0.03, 0.0001, begins + length, "out"]
        return ["triangle", tone, begins, *volume, begins + length]

    kinds = ((1047, 0.15, 4), (587, 0.45, 2), (880, 0.7, 3))
    for found, (tone, length, times) in zip(told, kinds, strict=True):
        expected = [sound(tone, length, 2 + time * length * 1.5) for time in range(times)]
        assert found == [[round(each, 4) if isinstance(each, float) else each for each in ring] for ring in expected]


def test_page_remembers_on_the_device_which_player_its_reader_is(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        let seen = null;
        globalThis.IntersectionObserver = class {
          constructor(told) { seen = told; }
          observe() {}
          disconnect() { seen = null; }
        };
        globalThis.MutationObserver = class { observe() {} };
        localStorage.setItem("topage.me", "12x");
        document.open(page);
        await import("./js/me.js");
        const root = document.documentElement;
        const pill = document.querySelector("[data-me-pill]");
        const look = () => [root.classList.contains("knows-me"), localStorage.getItem("topage.me"),
          document.querySelectorAll(".me").map(({ dataset }) => dataset.player),
          document.querySelectorAll("[data-me]").map((each) => each.getAttribute("aria-pressed")),
          document.querySelector("[data-me-here]").classList.contains("is-here"),
          document.querySelector("[data-me-go]").href, document.querySelector("[data-me-go]").textContent,
          document.querySelector("[data-me-elsewhere]").href, pill.hidden];
        const heard = [[...look(), root.classList.contains("remembers")]];
        const [zoe, yann] = document.querySelectorAll("[data-me]");
        for (const button of [zoe, yann, yann]) { button.click(); heard.push(look()); }
        zoe.click();
        const row = document.getElementById("player-12");
        for (const inSight of [true, false]) {
          seen([{ target: row, isIntersecting: inSight }]);
          heard.push([pill.hidden, pill.href, pill.dataset.towards]);
        }
        document.querySelector("[data-me-forget]").click();
        heard.push(look());
        localStorage.setItem("topage.me", "13");
        window.dispatchEvent(new Event("storage"));
        heard.push(look());
        document.querySelector('[data-player="13"]').classList.remove("me");
        document.dispatchEvent(new Event("DOMContentLoaded"));
        heard.push(look()[2]);
        Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("nothing is kept"); } });
        window.dispatchEvent(new Event("pageshow"));
        tell([...heard, [root.classList.contains("knows-me"), document.querySelectorAll(".me").length]]);
        """,
        page=ME,
    )
    nobody = [False, None, [], ["false", "false"], False, "", "", "", True]
    assert told[0] == [False, "12x", *nobody[2:], True]
    assert told[1] == [
        *(True, "12", ["12"], ["true", "false"], True, "#player-12", "Zoé  Martin"),
        *("/club/?me=12#player-12", True),
    ]
    assert told[2][:5] == [True, "13", ["13"], ["false", "true"], False]
    assert told[3][:5] == nobody[:5]
    assert told[4:6] == [[True, "#player-12", "down"], [False, "#player-12", "down"]]
    assert told[6][:5] == nobody[:5]
    assert told[7][:5] == [True, "13", ["13"], ["false", "true"], False]
    assert told[8:] == [["13"], [False, 0]]


def cards(*names):
    return "".join(
        f'<i data-played="{name}" data-seat="{seat}"><abbr title="{seat}"></abbr><svg aria-label="{name}"></svg></i>'
        for seat, name in names
    )


REPLAY = f"""<div data-replay data-said-played="SEAT plays CARD." data-said-turn="SEAT is to play CARD."
data-said-legal="LEGAL of HELD">
<p data-bar hidden><button data-go="trick-back"></button><button data-go="back"></button>
<button data-go="on"></button><button data-go="trick-on"></button>
<select data-choose><option>Trick 1</option><option>Trick 2</option></select><span data-said></span></p>
<div data-row id="trick-1"><b class="replay-number"><a href="#trick-1">1</a></b><div data-trick>
{cards(("North", "21"), ("West", "2"))}<u data-legal="21">21 7</u><u data-legal="2">2</u>
<em data-end>end</em><b data-won>North
 wins</b><s data-so-far data-count="4">4</s></div></div>
<div data-row id="trick-2"><b class="replay-number"><a href="#trick-2">2</a></b><div data-trick>
{cards(("North", "7"), ("West", "9"))}<u data-legal="9">9</u><u data-legal="7">7</u><em data-end>end</em>
<b data-won>West wins</b><q data-fault="9">revoke</q></div></div>
<div data-state data-states hidden><p data-count>0</p><template>
<div data-hand="North"><i data-card="21"></i><i data-card="7"></i><i data-card="8"></i><b data-legal-count></b></div>
<div data-hand="West"><i data-card="2"></i><i data-card="9"></i><b data-legal-count></b></div></template></div></div>"""


def test_deal_is_replayed_card_by_card(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        location.hash = "#trick-1";
        document.open(page);
        await import("./js/replay.js");
        const root = document.querySelector("[data-replay]");
        const heard = [];
        const here = (selector) => root.querySelectorAll(selector).filter((each) => !each.closest(".is-away"));
        const note = (what) => heard.push([what, root.querySelector("[data-said]").textContent,
          here("[data-played]").map((each) => (each.classList.contains("to-come") ? "-" :
            each.classList.contains("is-last") ? "*" : "+")).join(""),
          here("[data-end], [data-fault]").map((each) => (each.classList.contains("to-come") ? "-" : "+")).join(""),
          root.querySelectorAll("[data-card]").map((each) => (each.hidden ? "-" :
            each.classList.contains("is-legal") ? "!" : "+")).join(""),
          root.querySelectorAll("[data-legal-count]").map((each) => each.textContent).join("|"),
          root.querySelectorAll(".to-play").map(({ dataset }) => dataset.hand).join(""),
          root.querySelectorAll("[data-go]").map((each) => (each.getAttribute("aria-disabled") === "true" ? "-" :
            "+")).join(""),
          root.querySelector("[data-state] > [data-count]").textContent, root.querySelectorAll(".is-away").length]);
        note("begin");
        for (const way of ["first", "on", "trick-on", "on", "back", "trick-back", "last", "on"]) {
          const key = { first: "Home", last: "End" }[way];
          if (key) send(key, {}, root);
          else root.querySelector(`[data-go="${way}"]`).click();
          note(way);
        }
        for (const [key, given] of [["Home"], ["ArrowRight"], ["ArrowRight", { shiftKey: true }], ["ArrowLeft",
          { shiftKey: true }],
          ["End"], ["ArrowLeft"], ["x"], ["Home", { altKey: true }]]) {
          send(key, given, root);
          heard.push(root.querySelector("[data-said]").textContent);
        }
        const swipe = (across, down) => {
          const hand = root.querySelector("[data-hand]");
          hand.classList.add("replay-hand");
          hand.dispatchEvent(new Event("touchstart", { bubbles: true, touches: [{ clientX: 100, clientY: 100 }] }));
          hand.dispatchEvent(new Event("touchend", { bubbles: true, changedTouches: [{ clientX: 100 + across,
            clientY: 100 + down }] }));
          heard.push(root.querySelector("[data-said]").textContent);
        };
        swipe(60, 10); swipe(-30, 0); swipe(-60, 40); swipe(-60, 10);
        document.getElementById("trick-2").querySelector("a").click();
        note("number");
        tell(heard);
        """,
        page=REPLAY,
    )
    assert told[:9] == [
        ["begin", "West plays 2. North wins", "+*", "+", "-!+-+", "1 of 2|", "North", "++++", "4", 1],
        ["first", "Trick 1. North is to play 21.", "--", "-", "!!+++", "2 of 3|", "North", "--++", "0", 1],
        ["on", "Trick 1. North plays 21.", "*-", "-", "-++!+", "|1 of 2", "West", "++++", "0", 1],
        ["trick-on", "West plays 2. North wins", "+*", "+", "-!+-+", "1 of 2|", "North", "++++", "4", 1],
        ["on", "Trick 2. North plays 7.", "*-", "--", "--+-+", "|1 of 1", "West", "++++", "4", 1],
        ["back", "West plays 2. North wins", "+*", "+", "-!+-+", "1 of 2|", "North", "++++", "4", 1],
        ["trick-back", "Trick 1. North is to play 21.", "--", "-", "!!+++", "2 of 3|", "North", "--++", "0", 1],
        ["last", "West plays 9. West wins", "+*", "++", "--+--", "|", "", "++--", "4", 1],
        ["on", "West plays 9. West wins", "+*", "++", "--+--", "|", "", "++--", "4", 1],
    ]
    assert told[9:17] == [
        "Trick 1. North is to play 21.",
        "Trick 1. North plays 21.",
        "West plays 2. North wins",
        "Trick 1. North is to play 21.",
        "West plays 9. West wins",
        *["Trick 2. North plays 7."] * 3,
    ]
    assert told[17:21] == [*["West plays 2. North wins"] * 3, "Trick 2. North plays 7."]
    assert told[21][1] == "West plays 9. West wins"


def test_screen_of_the_hall_turns_its_pages_and_says_when_the_network_is_lost(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        document.open(page);
        const list = document.querySelector("[data-pages]");
        const left = [];
        Object.assign(list, { clientWidth: 100, scrollWidth: 250, scrollTo: ({ left: to, behavior }) => left.push(to,
          behavior) });
        globalThis.getComputedStyle = () => ({ columnGap: "10px" });
        await import("./js/hall.js");
        const [page1, lost, pause] = ["hall-page", "hall-lost", "pause"].map((id) => document.getElementById(id));
        const heard = [[page1.textContent, pause.hidden, list.style["--hall-size"]]];
        for (let turn = 0; turn < 3; turn += 1) { await pass(8000); heard.push(page1.textContent); }
        pause.click();
        await pass(16000);
        heard.push(page1.textContent, pause.getAttribute("aria-pressed"));
        window.dispatchEvent(new Event("offline"));
        heard.push([lost.hidden, lost.textContent]);
        document.dispatchEvent(new CustomEvent("htmx:afterRequest", { detail: { successful: true } }));
        heard.push(lost.hidden);
        document.dispatchEvent(new CustomEvent("htmx:afterRequest", { detail: { successful: false } }));
        heard.push(lost.hidden);
        list.scrollWidth = 100;
        window.dispatchEvent(new Event("resize"));
        tell([...heard, page1.textContent, pause.hidden, left]);
        """,
        page="""<div><div data-pages></div></div><p id="hall-page"></p><button id="pause" data-pause>Pause</button>
        <p id="hall-lost" hidden data-text="Not heard since"></p>""",
    )
    assert told[0] == ["1 / 3", False, "1.5rem"]
    assert told[1:4] == ["2 / 3", "3 / 3", "1 / 3"]
    assert told[4:6] == ["1 / 3", "true"]
    assert told[6][0] is False
    assert told[6][1].startswith("Not heard since ")
    assert told[7:11] == [True, False, "", True]
    assert told[11] == [0, "instant", *(value for page in (1, 2, 0) for value in (110 * page, "instant")), 0, "instant"]


def test_hall_shows_the_podium_for_two_turns_and_then_the_ranking_that_it_loads(scripts):  # noqa: F811
    asked = []

    def site(question):
        asked.append(question["url"])
        return {"status": 500 if len(asked) == 1 else 200, "text": "<div data-pages>all</div>"}

    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/hall.js");
        await settle();
        const end = document.querySelector(".hall-end");
        const look = () => [end.classList.contains("shows-ranking"), end.classList.contains("has-stood"),
          document.querySelectorAll("[data-pages]").length];
        const heard = [look()];
        for (let turn = 0; turn < 4; turn += 1) { await pass(8000); heard.push(look()); }
        tell(heard);
        """,
        page="""<div class="hall-end"><div><div class="podium"></div></div><div data-ranking="/ranking/"></div></div>
        <p id="hall-page"></p><button data-pause>Pause</button><p id="hall-lost" hidden></p>""",
        site=site,
    )
    assert told[0] == [False, False, 0]
    assert told[1][2] == 1
    assert [each[0] for each in told[1:]] in ([False, False, True, False], [False, True, False, False])
    assert asked == ["/ranking/", "/ranking/"]


def test_line_is_shared_copied_or_shown_to_be_selected(scripts):  # noqa: F811
    page = """<p data-sharing><button data-share="1st!" hidden>Share</button><span data-shared hidden>copied</span>
    <input data-share-line hidden></p><p><input id="link" value="https://x.example/1"><button data-copy="link" hidden
    data-done="Copied" data-by="Press Ctrl+C">Copy</button><span data-copied></span></p>"""
    told = run(
        scripts,
        """
        document.open(page);
        await import("./js/share.js");
        await import("./js/copy.js");
        const [share, copy] = ["[data-share]", "[data-copy]"].map((each) => document.querySelector(each));
        const [shared, line, copied] = ["[data-shared]", "[data-share-line]", "[data-copied]"].map((each) =>
          document.querySelector(each));
        const given = [];
        const look = async (button) => { button.click(); await settle(); return [shared.hidden, line.hidden,
          line.value, copied.textContent, given.length]; };
        const heard = [[share.hidden, copy.hidden]];
        const { clipboard } = navigator;
        navigator.share = async (told) => void given.push(told);
        heard.push(await look(share));
        navigator.share = async () => { throw Object.assign(new Error(), { name: "AbortError" }); };
        heard.push(await look(share));
        navigator.share = async () => { throw new Error(); };
        heard.push(await look(share), await look(copy));
        delete navigator.share;
        navigator.clipboard = { writeText: async () => { throw new Error(); } };
        heard.push(await look(share), await look(copy), stage.selected.id);
        document.execCommand = (name) => name === "copy";
        heard.push((await look(copy))[3]);
        tell([...heard, given, stage.copied]);
        """,
        page=page,
    )
    assert told[0] == [False, False]
    assert told[1:3] == [[True, True, "", "", 1]] * 2
    assert told[3:5] == [[False, True, "", "", 1], [False, True, "", "Copied", 1]]
    assert told[5:7] == [
        [False, False, "1st! https://site.example/", "Copied", 1],
        [False, False, "1st! https://site.example/", "Press Ctrl+C", 1],
    ]
    assert told[7:] == [
        "link",
        "Copied",
        [{"text": "1st!", "url": "https://site.example/"}],
        ["1st! https://site.example/", "https://x.example/1"],
    ]


def test_form_that_takes_long_is_sent_once_and_the_desk_counts_what_waits(scripts):  # noqa: F811
    told = run(
        scripts,
        """
        document.title = "Desk";
        document.open(page);
        await import("./js/busy.js");
        await import("./js/desk.js");
        const form = document.querySelector("form");
        const words = document.getElementById("busy");
        const heard = [document.title, form.requestSubmit(), words.hidden, form.requestSubmit()];
        window.dispatchEvent(new Event("pageshow"));
        heard.push(words.hidden);
        document.getElementById("desk-poll").dataset.rings = "";
        document.dispatchEvent(new Event("htmx:afterSettle"));
        heard.push(document.title);
        const links = document.querySelectorAll("#grid a");
        links[0].focus();
        for (const [key, given] of [["ArrowRight"], ["ArrowDown"], ["ArrowLeft"], ["ArrowUp"], ["ArrowRight",
          { altKey: true }], ["x"]]) {
          send(key, given);
          heard.push(links.indexOf(document.activeElement));
        }
        tell(heard);
        """,
        page="""<form data-busy="#busy"></form><p id="busy" hidden>working</p>
        <p id="desk-poll" data-rings="call-1 call-2"></p>
        <table id="grid"><tr><td><a href="1">1</a></td><td><a href="2">2</a></td></tr>
        <tr><td><a href="3">3</a></td><td><a href="4">4</a></td></tr></table>""",
    )
    assert told[:6] == ["(2) Desk", True, False, False, True, "Desk"]
    assert told[6:] == [1, 3, 2, 0, 0, 0]
