import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { OpenCode } from '../open-code.ts';
import { serverTimers } from '../room/servers.ts';
import type { WaitingAsker } from './asking.ts';
import { CodeConnection, LINE_BYTES } from './connection.ts';
import { instructionsFor, toolList } from './definitions.ts';
import { PendingRuns } from './pending-runs.ts';
import { LineSplitter } from './line-splitter.ts';
import { OwnEvidence, type PruneEvidence } from './own-evidence.ts';
import type { PendingRunEnd } from './tools.ts';

/** A client that has not been answered by then has not asked, and servers start meanwhile. */
const FIRST_ANSWER_MS = 250;

/** How code mode is served over a stream. */
export interface ServeOptions {
  readonly input: Readable;
  /** One line of the protocol, without its end. */
  readonly send: (text: string) => void;
  /** Aborted to end it as the end of its input does. */
  readonly signal: AbortSignal;
  readonly valueChars: number;
  readonly answerWithinMs: number;
  readonly version: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** One line for people. */
  readonly report: (line: string) => void;
  readonly reportBug: (error: unknown) => void;
}

/** What serving takes of other rooms. */
export interface ServeTools {
  /** Where questions wait for another command, below an absolute artifact root. */
  readonly waitingIn: (root: string, report: (line: string) => void) => WaitingAsker;
  readonly prune: PruneEvidence;
}

/**
 * Serves one client until its input ends: then everything is cancelled, servers are closed and evidence is sealed
 * (code-mode.md §5).
 */
export async function serveClient(code: OpenCode, options: ServeOptions, tools: ServeTools): Promise<void> {
  const runs = new PendingRuns<PendingRunEnd>(options.answerWithinMs, serverTimers(0));
  const evidence = new OwnEvidence(code.ownEvidence, tools.prune);
  evidence.look();
  const { session } = code;
  const timers = serverTimers(0);
  const connection = new CodeConnection({
    session: {
      reset: async () => session.reset(),
      evaluate: async (request) => {
        const end = await session.evaluate(request);
        evidence.look();
        return end;
      },
    },
    runs,
    contents: async () => {
      await code.settle();
      return code.contents();
    },
    valueChars: options.valueChars,
    longestMs: code.longestMs,
    serverInfo: { name: 'svc', version: options.version },
    instructions: instructionsFor(code.servers),
    tools: () => toolList(readsOnly(code)),
    send: (text) => {
      options.send(text);
      setImmediate(code.start);
    },
    reportBug: options.reportBug,
    timers,
    asks: code.policy.approvals !== 'refuse',
    waiting: code.questions === null ? null : tools.waitingIn(code.questions.root, options.report),
    approveCommand: code.questions === null ? null : approveCommand(code.questions.project, options.workingDirectory),
  });
  const late = setTimeout(code.start, FIRST_ANSWER_MS);
  await readLines(options, connection);
  clearTimeout(late);
  await Promise.all([runs.close(), connection.close()]);
  await code.close();
  await evidence.close();
}

/** What a person types in a terminal. */
function approveCommand(project: string | null, workingDirectory: string): (approvalId: string) => string {
  return (id) =>
    project === null
      ? `cd ${shellWord(workingDirectory)} && svc approvals approve ${id}`
      : `svc approvals approve ${id} --project ${shellWord(resolve(workingDirectory, project))}`;
}

function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Of a server that has not started nobody knows what it does. */
function readsOnly(code: OpenCode): boolean {
  const { servers, tools } = code.contents();
  return servers.every(({ state }) => state.state === 'ready') && tools.every(({ effect }) => effect === 'read');
}

async function readLines({ input, signal }: ServeOptions, connection: CodeConnection): Promise<void> {
  const splitter = new LineSplitter(LINE_BYTES, (line) => {
    connection.receive(line);
  });
  const ended = Promise.withResolvers<void>();
  const end = (): void => {
    ended.resolve();
  };
  input.on('data', (chunk: Buffer) => {
    splitter.push(chunk);
  });
  for (const event of ['end', 'close', 'error'] as const) input.once(event, end);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  await ended.promise;
  input.pause();
}
