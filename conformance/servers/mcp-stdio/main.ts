/**
 * A server of tools over standard streams that does what a script says: `main.ts --script FILE [--log FILE] [--pids
 * FILE]`. Each line that it is told is put into the log as it is, and the number of each process that it is or starts
 * into the other file.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isObject } from '../is-object.ts';
import { readStdioScript, type StdioAction, type StdioStep } from './script.ts';

const { values } = parseArgs({
  options: { script: { type: 'string' }, log: { type: 'string' }, pids: { type: 'string' } },
});
const script = readStdioScript(readFileSync(values.script ?? '/dev/null', 'utf8'));
const used = new Map<StdioStep, number>();
/** What is done once a request was cancelled. */
const waiting = new Map<unknown, () => Promise<void>>();
const STUBBORN = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);';

const grandchild = script.grandchild === true ? spawn(process.execPath, ['-e', STUBBORN], { stdio: 'inherit' }) : null;
const stray =
  script.stray === true
    ? spawn(process.execPath, ['-e', STUBBORN], { stdio: 'ignore', detached: true, env: {} })
    : null;
stray?.unref();
const daemon = script.daemon === true ? await startDaemon() : undefined;
const pids = [process.pid, grandchild?.pid, stray?.pid, daemon].filter((pid) => pid !== undefined);
if (values.pids !== undefined) appendFileSync(values.pids, pids.map((pid) => `${pid}\n`).join(''));
if (script.ignoresSigterm === true) process.on('SIGTERM', () => undefined);
if (script.ignoresEof === true) setInterval(() => undefined, 1000);

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  if (values.log !== undefined) appendFileSync(values.log, `${line}\n`);
  const message: unknown = JSON.parse(line);
  if (isObject(message)) void answerRequest(message);
});
// A child that is still there keeps its parent from ending by itself.
input.once('close', () => {
  if (script.ignoresEof !== true) process.exit(0);
  if (values.log !== undefined) appendFileSync(values.log, '{"end_of_input":true}\n');
});

/** A shell leads a new session, forks what heeds nothing but a kill, tells its number, and is gone. */
async function startDaemon(): Promise<number> {
  const forkAgain = "(trap '' TERM HUP INT; exec sleep 100000 >/dev/null) & echo $!";
  const shell = spawn('/bin/sh', ['-c', forkAgain], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: {},
  });
  const [[pid]] = await Promise.all([once(shell.stdout, 'data'), once(shell, 'exit')]);
  return Number(pid);
}

async function answerRequest({ id, method, params }: Readonly<Record<string, unknown>>): Promise<void> {
  const input = isObject(params) ? params : {};
  if (method === 'notifications/cancelled') {
    await waiting.get(input['requestId'])?.();
    return;
  }
  const step = script.steps.find(
    (each) =>
      each.method === method &&
      each.name === input['name'] &&
      each.cursor === input['cursor'] &&
      (used.get(each) ?? 0) < (each.times ?? Infinity),
  );
  if (step === undefined) {
    await write(
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no step of the script fits' } })}\n`,
    );
    return;
  }
  used.set(step, (used.get(step) ?? 0) + 1);
  const { action } = step;
  if (action.stderr !== undefined) process.stderr.write(action.stderr);
  for (const line of action.lines ?? []) await write(`${line.replaceAll('{{id}}', String(id))}\n`, action.split);
  const answer = (): Promise<void> => answered(id, input['arguments'], action);
  if (action.waitsForCancel === true) waiting.set(id, answer);
  else await answer();
  if (action.exit !== undefined) process.exit(action.exit);
}

async function answered(id: unknown, input: unknown, { result, error, dump, split }: StdioAction): Promise<void> {
  const body =
    dump === true
      ? {
          result: {
            resultType: 'complete',
            content: [{ type: 'text', text: JSON.stringify(describeEnvironment(input)) }],
          },
        }
      : { result, error };
  if ('error' in body && body.result === undefined && body.error === undefined) return;
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`, split);
}

function describeEnvironment(input: unknown): object {
  const hashes = Object.entries(process.env).map(
    ([name, value]) =>
      [
        name,
        createHash('sha256')
          .update(value ?? '')
          .digest('hex'),
      ] as const,
  );
  return { cwd: process.cwd(), arguments: input, environment: Object.fromEntries(hashes) };
}

async function write(text: string, split?: number): Promise<void> {
  const bytes = Buffer.from(text);
  const step = split ?? bytes.length;
  for (let at = 0; at < bytes.length; at += step) {
    process.stdout.write(bytes.subarray(at, at + step));
    if (step < bytes.length) await turn();
  }
}
