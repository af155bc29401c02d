/**
 * Static checks: types, lint, import rules, unused code. Every check runs even after one failed; the last line of
 * the output is `checks: N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
/** Those that exist: a folder without files is none in a fresh clone. */
const folders = ['contract', 'sandbox', 'adapters', 'supervisor', 'cli', 'conformance', 'bench', 'scripts'].filter((folder) => existsSync(join(root, folder)));
/** The import rule proves nothing when the cruiser sees no modules; this many is far below what there is. */
const leastModules = 100;

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly accept?: (output: string) => string | null;
}

const checks: readonly Check[] = [
  { name: 'types', command: [join(bin, 'tsc'), '-p', '.'] },
  { name: 'lint', command: [join(bin, 'oxlint'), '--type-aware', '--deny-warnings', ...folders] },
  {
    name: 'import rules',
    command: [join(bin, 'depcruise'), '--config', '.dependency-cruiser.cjs', ...folders],
    accept: (output) => {
      const seen = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
      return seen >= leastModules ? null : `the cruiser saw only ${seen} modules`;
    },
  },
  { name: 'unused code', command: [join(bin, 'knip')] },
];

let failed = 0;
for (const check of checks) {
  const [program, ...args] = check.command;
  if (program === undefined) throw new Error('a check needs a command');
  const started = performance.now();
  const run = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 64e6 });
  const output = `${run.stdout}${run.stderr}`;
  const complaint = run.status === 0 ? (check.accept?.(output) ?? null) : `exit status ${run.status}`;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${complaint === null ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)\n`);
  if (complaint !== null) {
    failed += 1;
    process.stdout.write(`${output}\n${complaint}\n`);
  }
}
process.stdout.write(`checks: ${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
