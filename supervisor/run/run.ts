import type { WriteAheadJournal } from '../evidence/publication/journal/journal.ts';
import type { RunEnvironments } from './environments.ts';
import type { RunContext } from './run-context.ts';

/**
 * One run that is open: anyone who holds it evaluates in it as often as it likes (evaluate.ts), then closes (close.ts)
 * and seals it (seal.ts), each once and in this order. A command, an interactive session and a served call differ in
 * what they evaluate and in what they do with the seal, and in nothing else.
 */
export interface Run extends RunContext {
  readonly environments: RunEnvironments;
  readonly journal: WriteAheadJournal;
  /** Ids of its evaluations, unique within the run and opaque to readers (evidence.md §2). */
  readonly newEvaluationId: () => string;
}
