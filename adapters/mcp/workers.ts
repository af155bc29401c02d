import type { JsonText } from '../../contract/json/canonical.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import type { WantedTools } from './declaration.ts';
import type { Measured } from '../threads/measured.ts';
import { ownAnswer } from '../threads/own-answer.ts';
import type { TaskEnd, TaskPool } from '../threads/task-pool.ts';
import type { ResultTerms } from './protocol/call-result.ts';
import type { CataloguePage } from './protocol/catalogue.ts';
import type { Discovery, Refused } from './protocol/discovery.ts';
import type { Initialization } from './protocol/initialization.ts';
import type { Revision } from './protocol/revision.ts';
import type { ExecutableLookup } from './stdio/executable.ts';
import type { ServerTask, ServerTaskAnswer } from './worker/job.ts';

/** A whole message, whose bytes go to the worker: nobody has them afterwards. */
export interface Received {
  readonly bytes: Uint8Array;
  readonly id: number;
}

/** The tasks of servers of tools, each in a worker that it has to itself while it lasts. */
export interface ServerWorkers {
  discovery(received: Received, status: number | null, signal: AbortSignal): Promise<TaskEnd<Discovery>>;
  initialization(received: Received, status: number | null, signal: AbortSignal): Promise<TaskEnd<Initialization>>;
  /** `wanted`: null for every one. */
  page(
    received: Received,
    { wanted, revision }: { readonly wanted: WantedTools | null; readonly revision: Revision },
    signal: AbortSignal,
  ): Promise<TaskEnd<CataloguePage | Refused>>;
  result(received: Received, terms: ResultTerms, signal: AbortSignal): Promise<TaskEnd<ProviderOutcome<JsonText>>>;
  executable(
    command: string,
    path: string | null,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<TaskEnd<Measured<ExecutableLookup>>>;
}

/** `programFolder`: where the programs are that come with this one. */
export function serverWorkers(pool: TaskPool<ServerTask, ServerTaskAnswer>, programFolder: string): ServerWorkers {
  const read = async (
    task: Extract<ServerTask, { readonly answer: unknown }>,
    signal: AbortSignal,
  ): Promise<TaskEnd<ServerTaskAnswer>> => {
    const bytes = new Uint8Array(task.answer.bytes);
    return pool.run({ ...task, answer: { ...task.answer, bytes } }, signal, [bytes.buffer]);
  };
  return {
    discovery: async (answer, status, signal) =>
      ownAnswer(await read({ kind: 'discovery', answer, status }, signal), (serverTaskAnswer) =>
        serverTaskAnswer.kind === 'discovery' ? { value: serverTaskAnswer.found } : null,
      ),
    initialization: async (answer, status, signal) =>
      ownAnswer(await read({ kind: 'initialization', answer, status }, signal), (serverTaskAnswer) =>
        serverTaskAnswer.kind === 'initialization' ? { value: serverTaskAnswer.found } : null,
      ),
    page: async (answer, terms, signal) =>
      ownAnswer(await read({ kind: 'page', answer, ...terms }, signal), (serverTaskAnswer) =>
        serverTaskAnswer.kind === 'page' ? { value: serverTaskAnswer.found } : null,
      ),
    result: async (answer, terms, signal) =>
      ownAnswer(await read({ kind: 'result', answer, terms }, signal), (serverTaskAnswer) =>
        serverTaskAnswer.kind === 'result' ? { value: serverTaskAnswer.found } : null,
      ),
    executable: async (command, path, maxBytes, signal) =>
      ownAnswer(
        await pool.run({ kind: 'executable', command, path, maxBytes, programFolder }, signal),
        (serverTaskAnswer) => (serverTaskAnswer.kind === 'executable' ? { value: serverTaskAnswer.found } : null),
      ),
  };
}
