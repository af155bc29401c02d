import { parseJson, documentLimits } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonObject } from '../../../contract/json/value.ts';

/** What every example tree has beside its own files (cli.md §8). */

export const EXAMPLE_GITIGNORE = `.env
.svc/
.svc-private-*
.svc-private-result-*
`;

export const EXAMPLE_AGENTS = `# Working on this example

\`README.md\` says what the example shows, step by step, and which files belong together. Ask the program for the rest:

    svc help                      # commands; svc help run for one of them
    svc docs                      # pages; begin with svc docs agent-guide
    svc docs --search TERM
    svc repl -e '(doc map)'       # what a function of the language does

## Files

- \`*svc-project.json\`: what the commands are given; each names an application and says where artifacts go (\`.svc/\`).
- \`svc.json\`: the manifest of an application: components, entry, input, missions, contracts, limits.
- \`*.clj\`: components, written in svc-lisp.
- \`svc-host*.json\`: which models and tools are installed, and under what names.

## The loop

1. Edit a component or a manifest.
2. \`svc validate PROJECT --envelope /tmp/check.json\`
3. \`svc run PROJECT --envelope /tmp/run.json\` (a fresh name each time: nothing is replaced)
4. Read the envelope: \`status\`, \`error.code\`, \`error.message\`, \`execution\`. Decide by the code, not by the text.

Exit status 0 is success; 2 arguments, 3 documents and compiling, 4 providers, 5 the program failed, 6 a limit,
7 files.

## Secrets

Credentials live in the environment or in \`.env\`, where an example has one, never in the other files or in a prompt.
`;

const HOST_FILE = /(?:^|\/)svc-host[^/]*\.json$/;
const HEADER = '# Credentials of this example. Remove the # from a line and put the value behind the =.\n';

/**
 * The environment file of a tree: comments only, one for each variable that a host file of the tree takes a credential
 * from. An empty assignment would hide the value that the caller has exported.
 */
export function environmentTemplate(files: ReadonlyMap<string, Uint8Array>): string {
  const hosts = [...files].filter(([path]) => HOST_FILE.test(path)).map(([, bytes]) => bytes);
  const names = new Set(hosts.flatMap(variablesOf));
  return (
    HEADER +
    [...names]
      .toSorted()
      .map((name) => `# ${name}=\n`)
      .join('')
  );
}

function variablesOf(bytes: Uint8Array): readonly string[] {
  const parsed = parseJson(bytes, documentLimits(bytes.length));
  const host = parsed.ok ? valueOf(parsed.root) : undefined;
  const credentials = isJsonObject(host) ? host.get('credentials') : undefined;
  if (!isJsonObject(credentials)) return [];
  return [...credentials.values()]
    .map((credential) => (isJsonObject(credential) ? credential.get('env') : undefined))
    .filter((name) => typeof name === 'string');
}
