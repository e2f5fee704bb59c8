// Two tools for regular expressions of scripts, called as `node scripts.cjs find|try ...` by tests/law/scripts.py.
// `find TYPESCRIPT` reads {path: source} and writes the expressions: {place, source, flags}, or {place, unread} for one
// that is built from other texts. `try` reads [{place, source, flags, grown}] and writes the place and the text of each
// slow one. `grown` has texts as [before, pump, after].
const { readFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const vm = require("node:vm");

const TRIES = 25;
const STEPS = [[100, 1000], [400, 10], [16000, 50]]; // letters, and the most milliseconds; the last finds quadratic time
const GUARD = 1000; // milliseconds, after which V8 ends an attempt

const find = (files, ts) =>
  Object.entries(files).flatMap(([path, text]) => {
    const found = [];
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const place = (node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const takesText = (node) =>
      (ts.isIdentifier(node.expression) && node.expression.text === "RegExp") ||
      (ts.isPropertyAccessExpression(node.expression) &&
        ["match", "matchAll", "search"].includes(node.expression.name.text) &&
        !/caches|clients/.test(node.expression.expression.getText())); // a service worker's own stores
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        found.push({ place: place(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && takesText(node)) {
        const [first, flags] = node.arguments ?? [];
        if (first && ts.isStringLiteralLike(first))
          found.push({ place: place(node), source: first.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : "" });
        else if (first && !ts.isRegularExpressionLiteral(first)) found.push({ place: place(node), unread: node.getText() });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });

const measure = (expression, text, most) => {
  const context = vm.createContext({ expression, text });
  let best = Infinity;
  for (let attempt = 0; attempt < TRIES && best > most; attempt++) {
    const began = performance.now();
    try {
      vm.runInContext('text.replace(expression, "")', context, { timeout: GUARD });
    } catch {
      return GUARD;
    }
    best = Math.min(best, performance.now() - began);
  }
  return best;
};

const isSlow = (expression, [before, pump, after]) =>
  STEPS.some(([letters, most]) => {
    const times = Math.max(1, Math.floor((letters - before.length - after.length) / pump.length));
    return measure(expression, before + pump.repeat(times) + after, most) > most;
  });

const tryAll = (asked) =>
  asked.flatMap(({ place, source, flags, grown }) => {
    const expression = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
    const slow = grown.find((each) => isSlow(expression, each));
    return slow ? [[place, slow.join("…")]] : [];
  });

const told = JSON.parse(readFileSync(0, "utf8"));
const answer = process.argv[2] === "find" ? find(told, require(process.argv[3])) : tryAll(told);
process.stdout.write(JSON.stringify(answer));
