// The question of teams before an étui: which member of the attacking team attacks.

import { h } from "./dom.js";
import { answers, badge } from "./parts.js";
import { say } from "../words.js";

/** @param {import("../../../../evenings/tables/screen").Attack} attack @param {{ place: number }} member */
const rank = (attack, { place }) => (place === attack.badge ? 0 : place);

// Asks which member of the attacking team attacks. The one whose turn it is comes first.
/** @param {import("./entry.js").At} at @returns {import("./screen.js").Drawn} */
export function attacker({ play, draft, to, app }) {
  const { attack } = play;
  if (!attack) throw new Error(`no teams play ${play.id}`);
  const open = draft.contract ? "bouts" : "contract";
  const next = draft.bouts === null ? open : "summary";
  const turn = attack.members.find(({ place }) => place === attack.badge);
  const members = [...attack.members].sort((one, other) => rank(attack, one) - rank(attack, other));
  return {
    title: say("ask.attacker", { team: attack.team }),
    body: [
      h("p", { class: "quiet" }, say("defends", { team: attack.defence })),
      answers(
        members.map(({ place, name }) => ({
          text: [badge(place, attack), ` ${name}`],
          note: say(place === attack.badge ? "attacker_turn" : "attacker_other"),
          on: () => app.screen.answer({ ...draft, attacker: place }, () => to(next)),
          chosen: draft.attacker ? draft.attacker === place : undefined,
          primary: place === turn?.place,
          key: `attacker-${place}`,
        })),
      ),
    ],
  };
}
