import type { JsonText } from '../../contract/json/canonical.ts';
import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import type { Measured } from '../threads/measured.ts';
import { ownAnswer } from '../threads/own-answer.ts';
import type { TaskEnd, TaskPool } from '../threads/task-pool.ts';
import type { ModelDeclaration } from './declaration.ts';
import type { ModelJob } from './generate.ts';
import type { ModelTask, ModelTaskAnswer } from './worker/job.ts';
import type { WrittenRequest } from './write-request.ts';

/** The tasks of models, each in a worker that it has to itself while it lasts. */
export interface ModelWorkers {
  write(job: ModelJob, signal: AbortSignal): Promise<TaskEnd<WrittenRequest>>;
  /** The bytes go to the worker; nobody has them afterwards. */
  read(job: ModelJob, bytes: Uint8Array, signal: AbortSignal): Promise<TaskEnd<ProviderOutcome<JsonText>>>;
  rehearse(declaration: ModelDeclaration, signal: AbortSignal): Promise<TaskEnd<Measured<LocalFinding | null>>>;
}

export function modelWorkers(pool: TaskPool<ModelTask, ModelTaskAnswer>): ModelWorkers {
  return {
    write: async (job, signal) =>
      ownAnswer(await pool.run({ kind: 'write', job }, signal), (answer) =>
        answer.kind === 'write' ? { value: answer.written } : null,
      ),
    read: async (job, bytes, signal) => {
      const own = new Uint8Array(bytes);
      const end = await pool.run({ kind: 'read', job, bytes: own }, signal, [own.buffer]);
      return ownAnswer(end, (answer) => (answer.kind === 'read' ? { value: answer.outcome } : null));
    },
    rehearse: async (declaration, signal) =>
      ownAnswer(await pool.run({ kind: 'rehearse', declaration }, signal), (answer) =>
        answer.kind === 'rehearse' ? { value: answer.finding } : null,
      ),
  };
}
