import { extname, join } from 'node:path';
import { poolsByHeap } from '../threads/pools-by-heap.ts';
import type { Measured } from '../threads/measured.ts';
import { ownAnswer } from '../threads/own-answer.ts';
import type { TaskEnd } from '../threads/task-pool.ts';
import type { AnswerTerms, ApiAnswer, ReadApiAnswer } from './call/read-answer.ts';
import type { CompiledDocument, DocumentTerms } from './document/compile-document.ts';
import type { ApiTask, ApiTaskAnswer } from './worker/job.ts';

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const JOB = join(import.meta.dirname, FORM === '.ts' ? 'worker/job.ts' : `openapi-job${FORM}`);

/**
 * Words of the heap in which a document is read, 256 MiB: one of the size that is admitted takes some thirty times its
 * bytes. The workers of calls have what the run allows.
 */
const DOCUMENT_HEAP_WORDS = 33_554_432;

/** The tasks of APIs, each in a worker that it has to itself while it lasts. */
export interface ApiWorkers {
  document(bytes: Uint8Array, terms: DocumentTerms, signal: AbortSignal): Promise<TaskEnd<Measured<CompiledDocument>>>;
  /** `heapWords`: of the worker. The bytes of the answer go to it: nobody has them afterwards. */
  answer(
    answer: ApiAnswer,
    terms: AnswerTerms,
    heapWords: number,
    signal: AbortSignal,
  ): Promise<TaskEnd<ReadApiAnswer>>;
  close(): Promise<void>;
}

/** The workers of one process, or of one tenant. */
export function apiWorkers(): ApiWorkers {
  const pools = poolsByHeap<ApiTask, ApiTaskAnswer>(JOB);
  return {
    document: async (bytes, terms, signal) => {
      const own = new Uint8Array(bytes);
      const task: ApiTask = { kind: 'document', bytes: own, terms };
      return ownAnswer(await pools.get(DOCUMENT_HEAP_WORDS).run(task, signal, [own.buffer]), (apiTaskAnswer) =>
        apiTaskAnswer.kind === 'document' ? { value: apiTaskAnswer.found } : null,
      );
    },
    answer: async (answer, terms, heapWords, signal) => {
      const bytes = new Uint8Array(answer.bytes);
      const task: ApiTask = { kind: 'answer', answer: { ...answer, bytes }, terms };
      return ownAnswer(await pools.get(heapWords).run(task, signal, [bytes.buffer]), (apiTaskAnswer) =>
        apiTaskAnswer.kind === 'answer' ? { value: apiTaskAnswer.found } : null,
      );
    },
    close: () => pools.close(),
  };
}
