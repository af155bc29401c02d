/**
 * Static checks: types, lint, import rules and circles, unused code. As many run beside each other as there are
 * processors, and every one even after another failed; the last line of the output is `checks: N passed, N failed`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
/** Those that exist: a folder without files is none in a fresh clone. */
const folders = [
  'contract',
  'system',
  'sandbox',
  'adapters',
  'supervisor',
  'cli',
  'conformance',
  'bench',
  'scripts',
].filter((folder) => existsSync(join(root, folder)));
/** The import rule proves nothing when the cruiser sees no modules; this many is far below what there is. */
const leastModules = 100;
const product = folders.filter((folder) => !['conformance', 'bench', 'scripts'].includes(folder));

function sawModules(output: string): string | null {
  const seen = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  return seen >= leastModules ? null : `the cruiser saw only ${seen} modules`;
}

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly accept?: (output: string) => string | null;
}

const checks: readonly Check[] = [
  { name: 'types', command: [join(bin, 'tsc'), '-p', '.'] },
  { name: 'types of the page', command: [join(bin, 'tsc'), '-p', 'viewer'] },
  { name: 'types of the site', command: [join(bin, 'tsc'), '-p', 'scripts/site/browser'] },
  { name: 'lint', command: [join(bin, 'oxlint'), '--type-aware', '--deny-warnings', ...folders, 'viewer'] },
  {
    name: 'format',
    command: [join(root, 'node_modules/oxfmt/bin/oxfmt'), '--list-different', '--ignore-path', '.formatignore', '.'],
  },
  {
    name: 'import rules',
    command: [join(bin, 'depcruise'), '--config', '.dependency-cruiser.cjs', ...folders],
    accept: sawModules,
  },
  {
    name: 'import circles',
    command: [join(bin, 'depcruise'), '--config', '.dependency-circles.cjs', ...product],
    accept: sawModules,
  },
  { name: 'unused code', command: [join(bin, 'knip'), '--no-tag-hints', '--treat-config-hints-as-errors'] },
  {
    name: 'code that only tests use',
    command: [join(bin, 'knip'), '--production', '--treat-config-hints-as-errors', '--treat-tag-hints-as-errors'],
  },
  { name: 'paths in pages', command: [join(root, 'scripts/doc-paths.ts')] },
  { name: 'words of the pages', command: [join(root, 'scripts/words.ts')] },
  { name: 'words of declared names', command: [join(root, 'scripts/identifiers.ts')] },
  { name: 'citations of the specification', command: [join(root, 'scripts/spec-citations.ts')] },
  { name: 'exported names', command: [join(root, 'scripts/names.ts')] },
  { name: 'long lines', command: [join(root, 'scripts/lines.ts')] },
  { name: 'variables around closures', command: [join(root, 'scripts/closures.ts')] },
  { name: 'entry points of the supervisor', command: [join(root, 'scripts/entry-points.ts')] },
  { name: 'time of regular expressions', command: [join(root, 'scripts/patterns.ts')] },
  { name: 'docstrings', command: [join(root, 'scripts/docstrings.ts')] },
  { name: 'envelope schema', command: [join(root, 'scripts/envelope-schema.ts'), '--check'] },
  { name: 'generated pages', command: [join(root, 'scripts/pages.ts'), '--check'] },
  { name: 'map of the rooms', command: [join(root, 'scripts/map.ts'), '--check'] },
  { name: 'state that parts share', command: [join(root, 'scripts/shared-state.ts')] },
  { name: 'names of built-ins', command: [join(root, 'scripts/builtin-names.ts'), '--check'] },
  { name: 'cold parts', command: [join(root, 'scripts/cold-parts.ts'), '--check'] },
  { name: 'model catalogue', command: [join(root, 'scripts/model-catalogue.ts'), '--check'] },
  { name: 'names of models', command: [join(root, 'scripts/model-names.ts')] },
  { name: 'requests to models', command: [join(root, 'scripts/model-requests.ts')] },
];

interface Ran {
  readonly status: string;
  readonly output: string;
}

async function run([program, ...args]: readonly string[]): Promise<Ran> {
  if (program === undefined) throw new Error('a check needs a command');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      // Some of them strip types, which node calls an experiment.
      ['--disable-warning=ExperimentalWarning', program, ...args],
      { cwd: root, maxBuffer: 64e6 },
      (error, stdout, stderr) => {
        const status = error === null ? '0' : String(error.signal ?? error.code);
        resolve({ status, output: `${stdout}${stderr}` });
      },
    );
  });
}

let failed = 0;
async function perform({ name, command, accept }: Check): Promise<void> {
  const started = performance.now();
  const { status, output } = await run(command);
  const complaint = status === '0' ? (accept?.(output) ?? null) : `exit status ${status}`;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${complaint === null ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  if (complaint === null) return;
  failed += 1;
  process.stdout.write(`${output}\n${complaint}\n`);
}

const waiting = checks.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const check of waiting) await perform(check);
  }),
);
process.stdout.write(`checks: ${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
