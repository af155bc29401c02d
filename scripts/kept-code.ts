/**
 * Keeps what V8 made of the program while usual commands ran, which `cli/boot.ts` starts it from. Each command goes on
 * from the code of those before it, so that what any of them called is kept; of a file that none of them loads nothing.
 *
 *   kept-code.ts PROGRAM WORD...    carries out one command of the program in this process, and keeps its code
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import vm from 'node:vm';

const AGENT = ['agent/02-domain-api.svc-project.json', '--host-config', 'agent/02-domain-api/svc-host.replay.json'];

/**
 * Each with its exit status; null: any, as the recorded answers of an example are made anew with a build (`make
 * example-answers`) and may not fit this one yet. What is kept costs every start a little, used or not: of a command that few people give
 * often, only what others share. The first run of an application compiles it, the second finds it compiled.
 */
const COMMANDS: readonly (readonly [number | null, ...string[]])[] = [
  [0, 'init', 'app'],
  [0, 'init', 'agent', '--example', 'support-triage'],
  [0, 'validate', 'app/svc-project.json'],
  [0, 'run', 'app/svc-project.json'],
  [0, 'run', 'app/svc-project.json', '--envelope', 'run.json'],
  [0, '--json', 'run', 'app/svc-project.json'],
  [null, 'run', ...AGENT],
  [0, 'explain', 'run.json'],
  [3, 'validate', 'no.json'],
  [1, 'repl', 'forms.clj'],
  [0, 'version'],
];

const FORMS = '(defn twice [n] (* 2 n))\n(twice 21)\n(missing)\n';

/** Beside the program in `dist`, of its files with these names. */
export function keepCode(dist: string, names: readonly string[]): void {
  const code = join(dist, 'code', `${process.version}-${process.arch}`);
  mkdirSync(code, { recursive: true });
  // V8 refuses what holds nothing, and compiles the file.
  for (const name of names) writeFileSync(join(code, `${name}.cjs.code`), '');
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'));
  try {
    writeFileSync(join(folder, 'forms.clj'), FORMS);
    for (const [status, ...words] of COMMANDS) runKeeping(dist, words, { folder, status });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const name of readdirSync(code)) if (statSync(join(code, name)).size === 0) rmSync(join(code, name));
}

/** In a process of its own, with the flags of `bin/svc`: V8 refuses code that was made under some others. */
function runKeeping(dist: string, words: readonly string[], wanted: { folder: string; status: number | null }): void {
  const flags = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', '--min-semi-space-size=16'];
  const ended = spawnSync(process.execPath, [...flags, '--', import.meta.filename, join(dist, 'svc.cjs'), ...words], {
    cwd: wanted.folder,
    env: { PATH: process.env['PATH'], HOME: wanted.folder, LANG: 'C.UTF-8' },
    encoding: 'utf8',
  });
  if (ended.signal !== null || (wanted.status !== null && ended.status !== wanted.status)) {
    throw new Error(`svc ${words.join(' ')} ended with ${ended.signal ?? ended.status}: ${ended.stderr}`);
  }
}

/** Starts the program in this process, and writes what V8 has of its scripts when it ends. */
function startKeeping(program: string): void {
  const scripts = new Map<string, vm.Script>();
  vm.Script = class extends vm.Script {
    constructor(text: string, options: vm.ScriptOptions) {
      super(text, options);
      if (options.filename !== undefined) scripts.set(options.filename, this);
    }
  };
  process.once('exit', () => {
    const code = join(dirname(program), 'code', `${process.version}-${process.arch}`);
    for (const [file, script] of scripts) {
      writeFileSync(join(code, `${basename(file)}.code`), script.createCachedData());
    }
  });
  // As node gives them to a program that it starts.
  process.argv.splice(1, 1);
  createRequire(program)(program);
}

if (import.meta.main) {
  const [, , program] = process.argv;
  if (program === undefined) throw new Error('usage: kept-code.ts PROGRAM WORD...');
  startKeeping(program);
}
