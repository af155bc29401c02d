/**
 * Writes `bench/programs/cold-parts.json`: of each shipped library, loaded, and each example, its entry called, which
 * parts of a workflow's guest are made that are not in its snapshot, each read and compiled in front of the program.
 * `--check` writes nothing and ends with 1 when the file is not what would be written.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ComponentSource } from '../contract/sandbox-protocol.ts';
import { compileBundle } from '../sandbox/language/components/compile-bundle.ts';
import { shippedLibraries } from '../supervisor/documents/libraries/shipped.ts';
import { coldParts } from './guest-bundle.ts';
import { GUESTS } from './warm-up.ts';

const root = join(import.meta.dirname, '..');
const FILE = join(root, 'bench/programs/cold-parts.json');
const libraries = shippedLibraries(join(root, 'sandbox/preludes'));

/** A library with all that it builds on, each before what needs it. */
function closure(id: string): readonly ComponentSource[] {
  const library = libraries.get(id);
  if (library === undefined) throw new Error(`no library ${id}`);
  const { dependencies, source } = library;
  return [
    ...dependencies.flatMap(closure),
    { id, source: new TextDecoder().decode(source), dependencies: dependencies.toSorted() },
  ];
}

interface Manifest {
  readonly workflow: {
    readonly components: readonly {
      readonly library?: string;
      readonly id?: string;
      readonly path?: string;
      readonly dependencies?: readonly string[];
    }[];
    readonly entry: string;
  };
  readonly input: { readonly value?: unknown; readonly path?: string };
}

/** In a guest of its own; every capability answers the same, which for most entries is an early end. */
function script(components: readonly ComponentSource[], entry: string | null, input: string): string {
  const reply = compileBundle({
    operation: 'compile',
    environment: 'workflow',
    components: [...new Map(components.map((each) => [each.id, each])).values()],
  });
  if (reply.status !== 'compiled') throw new Error(JSON.stringify(reply));
  const tools = [
    ...new Set(reply.exports.flatMap(({ requirements }) => requirements.map((name) => name.replace('tool:', '')))),
  ];
  const call = {
    operation: 'evaluate',
    environment: 'workflow',
    source: `(${entry} data/input)`,
    data: { input },
    tools,
    loop_iterations: null,
    projection: 'json',
  };
  const requests = [{ operation: 'load', code: reply.code }, ...(entry === null ? [] : [call])];
  return `const handle = freshGuest(() => '{"reply":"envelope","envelope":{"status":"ok","value":1}}');
    for (const request of ${JSON.stringify(requests)}) { const reply = handle(JSON.stringify(request));
      if (reply.includes('internal_fault') || reply.includes('"refused"')) throw new Error(reply); }`;
}

function exampleScript(file: string): string {
  const folder = join(root, dirname(file));
  const { workflow, input }: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const components = workflow.components.flatMap(({ library, id = '', path = '', dependencies = [] }) =>
    library === undefined ? [{ id, source: readFileSync(join(folder, path), 'utf8'), dependencies }] : closure(library),
  );
  return script(
    components,
    workflow.entry,
    input.path === undefined ? JSON.stringify(input.value) : readFileSync(join(folder, input.path), 'utf8'),
  );
}

const scripts = Object.fromEntries([
  ...[...libraries.keys()].map((id) => [id, script(closure(id), null, '')]),
  ...globSync('examples/**/svc.json', { cwd: root })
    .toSorted()
    .map((file) => [dirname(file), exampleScript(file)]),
]);
const text = `${JSON.stringify(await coldParts(GUESTS.workflow, scripts), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('bench/programs/cold-parts.json is stale, run: node scripts/cold-parts.ts\n');
  process.exitCode = 1;
}
