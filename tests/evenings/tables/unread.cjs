// Prints, one a line, the properties of screen.d.ts that no script of the table's screen names, as TypeScript resolves
// them. Run in the project: node unread.cjs path/to/typescript.js

const path = require("node:path");
const ts = require(process.argv[2]);

const types = path.resolve("evenings/tables/screen.d.ts");
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile("jsconfig.json", {}, ts.sys);
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => fileNames,
  getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ""),
  getScriptVersion: () => "",
});

function visit(node, owner) {
  if (ts.isTypeAliasDeclaration(node)) owner = node.name.text;
  if (ts.isPropertySignature(node)) {
    const found = service.findReferences(types, node.name.getStart()) ?? [];
    const named = found.some(({ references }) => references.some(({ fileName }) => fileName.endsWith(".js")));
    if (!named) console.log(`${owner}.${node.name.text}`);
  }
  ts.forEachChild(node, (child) => visit(child, owner));
}

visit(service.getProgram().getSourceFile(types), "");
