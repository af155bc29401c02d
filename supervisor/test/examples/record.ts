/**
 * Writes `replay.jsonl` of every recorded step of the examples anew (cli.md §9), with the built program itself: each
 * step is run against a model server that says what the step's script says, and `svc fixtures record` makes the file of
 * what was asked. To be run when a prompt, a task or an answer changed: `make example-answers`.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { PROGRAM, runToEnd } from '../../../conformance/cli/program.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import type { Prepared, RecordedStep } from './recorded-step.ts';
import { RECORDED_STEPS } from './steps.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
/** Servers of files that the hosts of the trees start come with the program. */
const PATH = [dirname(PROGRAM), process.env['PATH'] ?? ''].join(delimiter);
const LEFT_BEHIND = /^\.(?:env|svc.*)$/;

async function svc(directory: string, argv: readonly string[], expected = 0): Promise<void> {
  const { status, stderr } = await runToEnd({ argv, directory, environment: { KEY: 'any', PATH } });
  if (status !== expected) throw new Error(`svc ${argv.join(' ')}: ${stderr}`);
}

const ANSWERING = { source: 'llm', structured_output_mode: 'json_schema' };
const DECIDING = {
  source: 'decision',
  max_cost_per_call: { currency: 'USD', amount: '1' },
  max_total_tokens_per_call: 100_000,
};

async function prepare(copy: string, { argv, status, files = {} }: Prepared): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(copy, path), text, { mode: 0o600 });
  }
  await svc(copy, argv, status);
}

/** The lines of a step's fixture file, of a run of a copy of its tree. */
async function recorded(
  {
    tree,
    step,
    alias,
    source,
    script,
    prepare: before = [],
    options = [],
    host: hostFile = 'svc-host.json',
  }: RecordedStep,
  folder: string,
): Promise<readonly string[]> {
  const copy = join(folder, tree);
  await cp(join(EXAMPLES, tree), copy, { recursive: true, filter: (path) => !LEFT_BEHIND.test(basename(path)) });
  const server = await startModelServer({ script });
  try {
    const model = {
      ...(source === 'decision' ? DECIDING : ANSWERING),
      installation_revision: 'r1',
      model: `openai-compat:${server.url}/v1|recorded`,
      credential: 'key',
      usage_guarantees: { tokens: false, cost_currency: null },
    };
    await writeFile(join(copy, '.env'), '');
    for (const command of before) await prepare(copy, command);
    const host = Object(JSON.parse(await readFile(join(copy, hostFile), 'utf8')));
    const recording = join(copy, dirname(hostFile), 'recording.json');
    const { accepts_data = ['normal'] } = host.install[alias];
    await writeFile(
      recording,
      JSON.stringify({
        install: { ...host.install, [alias]: { ...model, accepts_data } },
        credentials: { key: { env: 'KEY' } },
      }),
    );
    const project = step === null ? 'svc-project.json' : `${step}.svc-project.json`;
    await svc(copy, ['run', project, '--host-config', recording, '--inspect', join(folder, 'run.svcins'), ...options]);
    await svc(folder, ['fixtures', 'record', '--inspection', 'run.svcins', '--out', 'replay.jsonl']);
    if (server.requests.length !== script.length)
      throw new Error(`${tree}/${step ?? ''}: ${server.requests.length} requests for ${script.length} answers`);
    return linesOf(await readFile(join(folder, 'replay.jsonl'), 'utf8'));
  } finally {
    await server.close();
  }
}

function linesOf(text: string): readonly string[] {
  return text.trim().split('\n');
}

/** Whether the file is another one now. The lines of parallel requests have no order that would be worth a change. */
async function write(path: string, lines: readonly string[]): Promise<boolean> {
  const before = linesOf(await readFile(path, 'utf8').catch(() => ''));
  if (before.toSorted().join('\n') === lines.toSorted().join('\n')) return false;
  await writeFile(path, `${lines.join('\n')}\n`);
  return true;
}

for (const step of RECORDED_STEPS) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-record-'));
  try {
    const file = join(step.tree, step.offline ?? step.step ?? '', 'replay.jsonl');
    const isNew = await write(join(EXAMPLES, file), await recorded(step, folder));
    process.stdout.write(`${isNew ? 'written  ' : 'unchanged'} examples/${file}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
