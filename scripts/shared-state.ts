/**
 * Finds modules of ours that two files of the built program have each a copy of, and that hold state: two parts that
 * run in one process would then each have their own. Such a module belongs into a file of its own
 * (`scripts/bundles.ts`), or its state into what its callers hand over. Ends with 1 for any that is not named here with
 * its reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type Statement } from 'acorn';
import * as esbuild from 'esbuild';
import { BUNDLED, PROGRAM_FORMAT, partsStayApart, threadPool } from './bundles.ts';

const root = join(import.meta.dirname, '..');
const OURS = /^(?:contract|system|sandbox|adapters|supervisor|cli)\//;
/** Collections that are made empty are made to be filled. */
const COLLECTIONS: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'AbortController']);

const CACHED = 'what it keeps is made anew by each, and alike';
const ALONE = 'of the parts that perform runs one process uses one: its command, or @svc-lisp/svc/supervisor';
const EDITOR = 'the formatter and the language server are commands of their own processes';
/** By its path, why a copy for each part does no harm. */
const HARMLESS: Readonly<Record<string, string>> = {
  'adapters/http/trusted-authorities.ts': CACHED,
  'sandbox/runtime/encoding/decode-content.ts': EDITOR,
  'sandbox/runtime/encoding/decoder.ts': EDITOR,
  'sandbox/runtime/fresh.ts': EDITOR,
  'sandbox/runtime/java/class-relations.ts': EDITOR,
  'sandbox/runtime/protocols.ts': EDITOR,
  'sandbox/runtime/values/char.ts': EDITOR,
  'sandbox/runtime/values/java.ts': EDITOR,
  'sandbox/runtime/values/lazy-seq.ts': EDITOR,
  'sandbox/runtime/values/sub-vector.ts': EDITOR,
  'sandbox/runtime/values/vector.ts': EDITOR,
  'contract/diagnostics/diagnostic.ts': CACHED,
  'contract/diagnostics/messages/admitted.ts': CACHED,
  'system/event-loop-pace.ts': 'each part takes turns of its own, one slice of work in each',
  'supervisor/history/analysis/evidence/evidence-index.ts': CACHED,
  'supervisor/history/analysis/turns/turns.ts': CACHED,
  'supervisor/documents/fields/patterns.ts': CACHED,
  'supervisor/documents/fields/shape.ts': 'an empty object that nothing is put into',
  'supervisor/evidence/publication/journal/journal.ts': ALONE,
  'supervisor/calls/broker/search-capabilities.ts': CACHED,
  'supervisor/code/index/room-index.ts': CACHED,
  'supervisor/calls/kernel/missions/evaluate-in-isolate.ts': 'an empty list that nothing is put into',
  'supervisor/providers/session-capability.ts': CACHED,
  'supervisor/providers/tenant-threads.ts': ALONE,
  'supervisor/run/usage/terminal-capacity.ts': CACHED,
  'supervisor/providers/schemas/bounded-schema.ts': CACHED,
  'supervisor/providers/schemas/schema-threads.ts': ALONE,
};

/** Names at the top of a module that hold what changes; `source`: TypeScript. */
export function stateOf(source: string): readonly string[] {
  const { code } = esbuild.transformSync(source, {
    loader: 'ts',
    target: 'node24',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  return body.flatMap((statement) =>
    statefulNames(
      statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement,
    ),
  );
}

type Top = Statement | { readonly type: string };

function statefulNames(statement: Top): readonly string[] {
  if (statement.type !== 'VariableDeclaration' || !('declarations' in statement)) return [];
  return statement.declarations.flatMap(({ id, init }) => {
    const isEmptied =
      init?.type === 'NewExpression' &&
      init.callee.type === 'Identifier' &&
      COLLECTIONS.has(init.callee.name) &&
      init.arguments.length === 0;
    const isEmptyList = init?.type === 'ArrayExpression' && init.elements.length === 0;
    const holds = statement.kind !== 'const' || isEmptied || isEmptyList;
    return holds && id.type === 'Identifier' ? [id.name] : [];
  });
}

/** Which files of the program have a copy of each of our modules. */
async function copies(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  await Promise.all(
    Object.entries(BUNDLED).map(async ([name, entry]) => {
      const { metafile } = await esbuild.build({
        ...PROGRAM_FORMAT,
        entryPoints: { [name]: entry },
        plugins: [partsStayApart, threadPool],
        outdir: join(root, 'dist'),
        write: false,
        metafile: true,
      });
      for (const { inputs } of Object.values(metafile.outputs)) {
        for (const [path, { bytesInOutput }] of Object.entries(inputs))
          if (OURS.test(path) && bytesInOutput > 0) found.set(path, [...(found.get(path) ?? []), name]);
      }
    }),
  );
  return found;
}

/** What is wrong, a line each; empty: nothing. */
export async function sharedState(): Promise<readonly string[]> {
  const shared = [...(await copies())]
    .filter(([, parts]) => parts.length > 1)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const holding = shared
    .map(([path, parts]) => ({ path, parts, names: stateOf(readFileSync(join(root, path), 'utf8')) }))
    .filter(({ names }) => names.length > 0);
  const faults = holding
    .filter(({ path }) => HARMLESS[path] === undefined)
    .map(
      ({ path, parts, names }) =>
        `${path} holds ${names.join(', ')}, and each of ${parts.toSorted().join(', ')} has its own`,
    );
  const stale = Object.keys(HARMLESS)
    .filter((path) => !holding.some((one) => one.path === path))
    .map((path) => `${path} is named as harmless, and holds nothing or is shared by none`);
  return [...faults, ...stale];
}

if (process.argv[1] === import.meta.filename) {
  const faults = await sharedState();
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
