import type { Tree } from './tree.ts';

/** What `svc init DIRECTORY` writes (cli.md §8): the smallest application, and what an author needs beside it. */

const MAIN = `(ns main
  "A workflow is plain code: it takes the input of the run and gives its result.")

(defn run
  "Greets the person in the input."
  [input]
  {"greeting" (str "hello " (get input "name"))})
`;

const MANIFEST = `{
  "$schema": "./schemas/manifest.schema.json",
  "version": 1,
  "workflow": {
    "components": [{ "id": "main", "path": "main.clj" }],
    "entry": "main/run"
  },
  "input": { "value": { "name": "world" } }
}
`;

const PROJECT = `{
  "$schema": "./schemas/project.schema.json",
  "kind": "svc-project",
  "version": 1,
  "application": { "path": "svc.json" },
  "artifacts": {
    "root": ".svc",
    "trace": true,
    "inspection": false,
    "result": false,
    "envelope": true
  },
  "viewer": { "port": 0, "open": true, "repl": true, "private": false }
}
`;

const GITIGNORE = `.svc/
.svc-private-*
.svc-private-result-*
`;

const AGENTS = `# Working on this application

Ask the program, not your memory: it carries its own documentation.

    svc help                      # commands; svc help run for one of them
    svc docs                      # pages; begin with svc docs agent-guide
    svc docs --search TERM
    svc repl -e '(doc map)'       # what a function of the language does

## Files

- \`main.clj\`: the workflow, written in svc-lisp. Its entry is \`main/run\`.
- \`svc.json\`: the manifest. Components, entry, input, missions, contracts, limits.
- \`svc-project.json\`: defaults of the commands, and where artifacts go (\`.svc/\`).
- \`schemas/\`: what \`svc schemas --out schemas\` writes, and \`$schema\` of the documents names for editors.

## The loop

1. Edit \`main.clj\` or \`svc.json\`.
2. \`svc validate svc-project.json --envelope /tmp/check.json\`
3. \`svc run svc-project.json --envelope /tmp/run.json\` (a fresh name each time: nothing is replaced)
4. Read the envelope: \`status\`, \`error.code\`, \`error.message\`, \`execution\`. Decide by the code, not by the text.
   The trace of the run is \`.svc/traces/RUN_REF.jsonl\`.

Exit status 0 is success; 2 arguments, 3 documents and compiling, 4 providers, 5 the program failed, 6 a limit,
7 files. \`svc docs cli\` lists them all.

## Secrets

Credentials live in the environment or in the file given by \`--env-file\`, never in these files or in a prompt.
Which models and tools exist is decided by the host file alone: \`svc docs host\`.
`;

const FILES: readonly (readonly [string, string])[] = [
  ['AGENTS.md', AGENTS],
  ['.gitignore', GITIGNORE],
  ['main.clj', MAIN],
  ['svc.json', MANIFEST],
  ['svc-project.json', PROJECT],
];

export function scaffoldTree(): Tree {
  const encoder = new TextEncoder();
  return new Map(FILES.map(([path, text]) => [path, encoder.encode(text)]));
}
