import { realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { CodeOptions, OpenCode } from '../code/open-code.ts';
import { serverTimers } from '../code/room/servers.ts';
import type { WaitingAsker } from '../code/serve/asking.ts';
import { CodeConnection, LINE_BYTES } from '../code/serve/connection.ts';
import { instructionsFor, toolList } from '../code/serve/definitions.ts';
import { PendingRuns } from '../code/serve/pending-runs.ts';
import { LineSplitter } from '../code/serve/line-splitter.ts';
import type { PendingRunEnd } from '../code/serve/tools.ts';
import { prune } from '../history/prune/prune.ts';
import { codeRoot } from '../platform/configuration/code-root.ts';
import type { Variables } from '../platform/configuration/configuration.ts';
import { publicationTools } from '../evidence/publication/published-files.ts';
import { makeDirectory } from '../evidence/publication/make-directory.ts';
import { fileApprovals } from '../service/stores/file-approvals.ts';
import { storeAsker } from '../service/stores/store-asker.ts';

export type { OpenCode } from '../code/open-code.ts';
export { openCode } from '../code/open-code.ts';

/** Bytes of the evidence of sessions that have no project (code-mode.md §1). */
const EVIDENCE_BYTES = 268_435_456;
/** Milliseconds between two looks at how much there is. */
const LOOK_MS = 60_000;

/** Deletes the oldest runs beyond the bound: never one that is being written. */
class OwnEvidence {
  readonly #root: string | null;
  #nextAt = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string | null) {
    this.#root = root;
  }

  /** After a run, or before the first: at most once a minute. */
  look(): void {
    if (this.#root === null || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + LOOK_MS;
    this.#last = this.#prune(this.#root);
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#root !== null) await this.#prune(this.#root);
  }

  /** What cannot be deleted now is at the next look. */
  async #prune(root: string): Promise<void> {
    const request = {
      root,
      maxAgeDays: null,
      maxBytes: EVIDENCE_BYTES,
      isDryRun: false,
      signal: AbortSignal.timeout(LOOK_MS),
    };
    await prune(publicationTools(), request).catch(() => undefined);
  }
}

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

/**
 * Serves one client until its input ends: then everything is cancelled, servers are closed and evidence is sealed
 * (code-mode.md §5).
 */
export async function serveCode(code: OpenCode, options: ServeOptions): Promise<void> {
  const runs = new PendingRuns<PendingRunEnd>(options.answerWithinMs, serverTimers(0));
  const evidence = new OwnEvidence(code.ownEvidence);
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
    waiting: code.questions === null ? null : waitingIn(code.questions.root, options.report),
    approveCommand: code.questions === null ? null : approveCommand(code.questions.project, options.workingDirectory),
  });
  const late = setTimeout(code.start, FIRST_ANSWER_MS);
  await readLines(options, connection);
  clearTimeout(late);
  await Promise.all([runs.close(), connection.close()]);
  await code.close();
  await evidence.close();
}

/** Questions in the files that `svc approvals` reads (approvals.md §6). */
function waitingIn(root: string, report: (line: string) => void): WaitingAsker {
  const store = fileApprovals(publicationTools(), root, {
    isOfProcess: true,
    ignored: (name) => report(`approvals/${name} is not ours or not whole, and is ignored`),
  });
  return (onStored) => ({
    ask: async (request, signal) => {
      makeDirectory(root);
      return storeAsker(store, onStored).ask(request, signal);
    },
  });
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

/** Where evidence goes that no project has a place for, made with its parents; null: this user has no folder. */
export function ownCodeArtifacts(variables: Variables, workingDirectory: string): string | null {
  const root = codeRoot(variables, workingDirectory);
  if (root === null) return null;
  try {
    makeDirectory(dirname(root));
  } catch {
    return null;
  }
  return root;
}

/** This program, so that an entry that starts it is known by whatever name. */
export function ownProgram(programDirectory: string, variables: Variables): CodeOptions['own'] {
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = [process.argv[1] ?? '', join(programDirectory, 'svc.cjs'), join(programDirectory, '../bin/svc')];
  return {
    paths: new Set(paths.map(canonical).filter((path) => path !== null)),
    resolve: (word) =>
      word.includes('/')
        ? canonical(resolve(word))
        : (folders.map((folder) => canonical(join(folder, word))).find((path) => path !== null) ?? null),
  };
}

function canonical(path: string): string | null {
  try {
    return path === '' ? null : realpathSync(path);
  } catch {
    return null;
  }
}
