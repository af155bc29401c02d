/**
 * Keeps what V8 made of the program while usual commands ran, which `cli/boot.ts` starts it from. Each command goes on
 * from the code of those before it, so that what any of them called is kept; of a file that none of them loads nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const AGENT = ['agent/02-domain-api.svc-project.json', '--host-config', 'agent/02-domain-api/svc-host.replay.json'];
const FILES = ['files/svc-project.json', '--host-config', 'files/reader-state/offline/svc-host.replay.json'];
const MODEL = ['model/svc.json', '--host-config', 'model/svc-host.json'];

/**
 * Each with its exit status; null: any, as the recorded answers of an example are made anew with a build (`make
 * example-answers`) and may not fit this one yet. What is kept costs every start a little, used or not: of a command
 * that few people give often, only what others share. The first run of an application compiles it, the second finds it
 * compiled.
 */
const COMMANDS: readonly (readonly [number | null, ...string[]])[] = [
  [0, 'init', 'app'],
  [0, 'init', 'agent', '--example', 'support-triage'],
  [0, 'init', 'files', '--example', 'named-mission-reader-writer'],
  [0, 'validate', 'app/svc-project.json'],
  [0, 'run', 'app/svc-project.json'],
  [0, 'run', 'app/svc-project.json', '--envelope', 'run.json'],
  [0, '--json', 'run', 'app/svc-project.json'],
  [null, 'run', ...AGENT],
  [null, 'run', ...FILES],
  [0, 'run', ...MODEL],
  [0, 'explain', 'run.json'],
  [3, 'validate', 'no.json'],
  [1, 'repl', 'forms.clj'],
  [0, 'version'],
];

const FORMS = '(defn twice [n] (* 2 n))\n(twice 21)\n(missing)\n';

/** Beside the program in `dist`, of its files with these names. */
export async function keepCode(dist: string, names: readonly string[]): Promise<void> {
  const code = join(dist, 'code', `${process.version}-${process.arch}`);
  mkdirSync(code, { recursive: true });
  // V8 refuses what holds nothing, and compiles the file.
  for (const name of names) writeFileSync(join(code, `${name}.cjs.code`), '');
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'));
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(ANSWER));
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(join(folder, 'forms.clj'), FORMS);
    writeModel(join(folder, 'model'), server);
    writeCompanion(folder, dist);
    for (const [status, ...words] of COMMANDS) await runKeeping(dist, words, { folder, status });
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const name of readdirSync(code)) {
    if (!name.endsWith('.code') || statSync(join(code, name)).size === 0) rmSync(join(code, name));
  }
}

const ANSWER = JSON.stringify({
  id: 'answer',
  object: 'chat.completion',
  created: 0,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', content: 'An answer.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** An application that asks a model on this machine. */
function writeModel(folder: string, server: Server): void {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server of models has no port');
  mkdirSync(folder);
  const files = {
    'main.clj': `(ns main (:require [llm]))
(defn run [input] (llm/request! {:messages [{:role "user" :content "Say something."}]}))
`,
    'svc.json': JSON.stringify({
      version: 1,
      workflow: {
        components: [{ library: 'llm' }, { id: 'main', path: 'main.clj', dependencies: ['llm'] }],
        entry: 'main/run',
      },
      input: { value: {} },
      providers: { workflow: [{ name: 'model' }] },
    }),
    'svc-host.json': JSON.stringify({
      install: {
        model: {
          source: 'llm',
          installation_revision: 'r1',
          model: `openai-compat:http://127.0.0.1:${address.port}/v1|small`,
          credential: 'key',
          structured_output_mode: 'unsupported',
          usage_guarantees: { tokens: true, cost_currency: null },
        },
      },
      credentials: { key: { literal: 'unused' } },
    }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

const KEEP = ['--import', join(import.meta.dirname, 'keep-code-here.ts')];

/** The server of files as its launcher would start it, which lets nothing be brought into node. */
function writeCompanion(folder: string, dist: string): void {
  const words = [process.execPath, ...KEEP, join(dist, 'fs-mcp.cjs')].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const file = join(folder, 'svc-fs-mcp');
  writeFileSync(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
}

/** In a process of its own, with the flags of `bin/svc`: V8 refuses code that was made under some others. */
async function runKeeping(dist: string, words: readonly string[], wanted: { folder: string; status: number | null }) {
  const flags = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', '--min-semi-space-size=16'];
  const child = spawn(process.execPath, [...flags, ...KEEP, join(dist, 'svc.cjs'), ...words], {
    cwd: wanted.folder,
    env: { PATH: `${wanted.folder}:${process.env['PATH']}`, HOME: wanted.folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [status, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (signal !== null || (wanted.status !== null && status !== wanted.status))
    throw new Error(`svc ${words.join(' ')} ended with ${signal ?? status}: ${said}`);
}
