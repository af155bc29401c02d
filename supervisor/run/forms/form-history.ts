import type {
  Continuation,
  EvaluateReply,
  EvaluateRequest,
  StoredContinuation,
} from '../../../contract/sandbox-protocol.ts';
import type { Continuation as KernelContinuation } from '../../calls/kernel/continuations/store.ts';

/** What the forms of a session have made, beside the isolate that they made it in: it outlives that. */
export interface FormHistory {
  /** What the next form goes on from, and is asked to leave. */
  request(): Pick<EvaluateRequest, 'continuation' | 'commit' | 'keeps_isolate'>;
  /** Takes what a form left. */
  keep(reply: EvaluateReply): void;
  /** What it gives goes back to what is written down now: nothing of what is kept later counts. */
  mark(): () => void;
  /** The isolate is lost; whether the next one will have all of it. Null: there was nothing. */
  lose(): 'all' | 'part' | null;
  /** What was written down last; null: nothing was. */
  continuation(): KernelContinuation | null;
}

/** `restored`: what an earlier session wrote down, from which this one goes on; null: nothing. */
export function openFormHistory(
  { memoryBytes, historyBytes }: { readonly memoryBytes: number; readonly historyBytes: number },
  restored: KernelContinuation | null = null,
): FormHistory {
  let written: StoredContinuation | null = restored === null ? null : storedContinuation(restored);
  /** Whether the isolate holds what is not in `written`. */
  let holdsMore = false;
  let isLiving = false;
  return {
    request: () => ({
      continuation: isLiving ? 'living' : textsOf(written),
      commit: { memory_bytes: memoryBytes, history_bytes: historyBytes },
      keeps_isolate: true,
    }),
    keep: (reply) => {
      isLiving = true;
      if (reply.outcome !== 'continued' && reply.outcome !== 'returned') return;
      holdsMore = reply.continuation === undefined;
      written = reply.continuation ?? written;
    },
    mark: () => {
      const marked = written;
      return () => {
        [written, isLiving, holdsMore] = [marked, false, false];
      };
    },
    lose: () => {
      const recovered = holdsMore
        ? 'part'
        : written === null || written.defined_count + written.history_count === 0
          ? null
          : 'all';
      [isLiving, holdsMore] = [false, false];
      return recovered;
    },
    continuation: () => (written === null ? null : kernelContinuation(written)),
  };
}

function storedContinuation({
  definitions,
  history,
  definedCount,
  memoryBytes,
  historyBytes,
}: KernelContinuation): StoredContinuation {
  return {
    definitions,
    history,
    defined_count: definedCount,
    history_count: history.length,
    memory_bytes: memoryBytes,
    history_bytes: historyBytes,
  };
}

function kernelContinuation({
  definitions,
  history,
  defined_count,
  memory_bytes,
  history_bytes,
}: StoredContinuation): KernelContinuation {
  const largest = Math.max(0, ...history.map((text) => Buffer.byteLength(text)));
  return {
    definitions,
    history,
    definedCount: defined_count,
    memoryBytes: memory_bytes,
    historyBytes: history_bytes,
    largestHistoryBytes: largest,
  };
}

function textsOf(written: StoredContinuation | null): Continuation | null {
  return written === null ? null : { definitions: written.definitions, history: written.history };
}
