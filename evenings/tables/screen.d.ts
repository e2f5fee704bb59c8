// What the table's screen and the site tell one another: written from screen.schema.json, which explains it.

export type Line = "N" | "E" | "S" | "W" | "F";

export type Contract = "prise" | "garde" | "garde_sans" | "garde_contre";

export type Bout = "21" | "petit" | "excuse";

export type Side = "none" | "attack" | "defence";

export type Poignee = "simple" | "double" | "triple";

export type Chelem = "none" | "announced_made" | "announced_failed" | "unannounced_made" | "suffered" | "announced_suffered";

export type State = {
  server: "topage";
  session: Session;
  table: number;
  position: number;
  here: number;
  clock: Clock;
  last_call: boolean;
  device: Device;
  call: Call | null;
  called: string | null;
  stops: (Stop)[];
  next: (Going)[];
  left: Left | null;
  results: Results | null;
  requests: (Request)[];
  stamp: string;
  now: string;
};

export type Session = {
  club: string;
  tournament: string;
  date: string;
  auction: "imposed" | "free";
  contracts?: ("prise" | "garde" | "garde_sans" | "garde_contre")[];
  free_deals?: true;
  shows: "nothing" | "topage" | "ranking";
  positions: number;
  whole_records: boolean;
  published: boolean;
  closed: boolean;
  address: string;
};

export type Clock = {
  ends_at: string | null;
  left: number | null;
};

export type Device = {
  writes: boolean;
  others: number;
  known: boolean;
  label: string;
};

export type Call = {
  coming: boolean;
};

export type Stop = {
  position: number;
  closed: boolean;
  rest: boolean;
  unseated?: true;
  seats: { [name in Line]?: Person };
  facing: { [name in Line]?: Line };
  plays: (Play)[];
  teams?: { [name in Line]?: Person };
  attacking?: Line;
};

export type Attack = {
  team: string;
  defence: string;
  badge: number;
  seats?: { [name in Line]?: string };
  coloured?: false;
  members: ({
    place: number;
    name: string;
  })[];
};

export type Person = {
  name: string;
};

export type Play = {
  id: number;
  etui: number;
  taker: Line | null;
  leader: Line;
  state: "todo" | "started" | "later" | "not_played" | "adjusted" | "annulled" | "entered" | "confirmed" | "disputed";
  started: boolean;
  version: number | null;
  entry: Entry | null;
  seat: "N" | "E" | "S" | "W" | "F" | "" | null;
  score: Score | null;
  check: "none" | "same" | "other" | "blind";
  arbiter: "" | "entered" | "corrected" | "confirmed";
  withdrawn: boolean;
  record: Recorded | null;
  keys: (string)[];
  final: boolean;
  after: After | null;
  attack?: Attack;
  deal?: number;
  dealer?: Line;
  resting?: Line;
  seats?: { [name in Line]?: Person };
};

export type Recorded = {
  holds: "lead" | "part" | "whole";
  mine: boolean;
  base_score: number | null;
};

export type Record = {
  tricks: ((string)[])[];
  claim?: "attack" | "defence";
};

export type Entry = Facts | Fiche | Passed | Sheet;

export type Facts = {
  kind: "facts";
  taker: Line;
  contract: Contract;
  bouts: number;
  attack_bouts: (Bout)[] | null;
  half_points: number;
  petit_au_bout: Side;
  poignees_attack: (Poignee)[];
  poignees_defence: (Poignee)[];
  chelem: Chelem;
  shown_by?: { [name in Line]?: Poignee };
  players?: 3 | 5;
  partner?: Line;
  attacker?: number;
};

export type Fiche = {
  kind: "fiche";
  taker: Line;
  base_score: number;
  partner?: Line;
  attacker?: number;
};

export type Passed = {
  kind: "passed";
};

export type Sheet = {
  kind: "sheet";
  marks: { [name in Line]?: number };
};

export type Score = {
  base_score: number;
  lines: ({
    text: string;
    value: number;
  })[];
  marks: { [name in Line]?: number };
};

export type After = Topage | Ranking;

export type Topage = {
  kind: "topage";
  plays: ({
    base_score: number;
    taker: Line | null;
    notes: { [name in Line]?: string } | null;
    mine: boolean;
  })[];
};

export type Ranking = {
  kind: "ranking";
  players: ({
    rank: number | null;
    name: string;
    percent: string | null;
  })[];
};

export type Going = {
  name: string;
  line: Line;
  table: number | "rest";
  tables?: (number)[];
  part?: true;
};

export type Left = {
  position: number;
  next: (Going)[];
};

export type Results = {
  status: "provisional" | "official";
  players: (Result)[];
  address: string;
};

export type Result = {
  line: Line;
  name: string;
  rank: number | null;
  percent: string | null;
  address: string | null;
};

export type Request = {
  id: number;
  etui: number;
  position: number;
  name: string;
  text: string;
  voices: (Voice)[];
};

export type Voice = {
  line: Line;
  name: string;
  agrees: boolean | null;
  own: boolean;
};

export type Sending = {
  device: string;
  commands: (Command)[];
};

export type Command = {
  key: string;
  kind: "join" | "take_over" | "leave" | "start" | "enter" | "correct" | "blind" | "check" | "not_played" | "undo_not_played" | "call" | "call_about" | "uncall" | "agree" | "record";
  at: string;
  again?: boolean;
  name?: string;
  play?: number;
  position?: number;
  etui?: number;
  seat?: Line;
  entry?: Entry;
  record?: Record;
  sure?: (string)[];
  seen_version?: number | null;
  version?: number;
  agrees?: boolean;
  request?: number;
  reason?: "rules" | "cards" | "irregularity" | "result" | "device";
};

export type Answer = {
  server: "topage";
  receipts: (Receipt)[];
  state: State;
};

export type Receipt = {
  key: string;
  status: "received" | "refused" | "conflict" | "question";
  number: number | null;
  version: number | null;
  at: string;
  stored: boolean;
  code: string;
  text: string;
  questions: ({
    code: string;
    text: string;
  })[];
};
