import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Effect, EffectGate } from '../../../contract/effect.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { ArtifactStore, RunEffect, RunJournal } from '../stores/interface.ts';
import { keepEnvelope } from '../stores/stored-envelope.ts';

/** How one run ended, for its record. */
export interface RecordedEnd {
  readonly envelope: RunSuccess | RunFailure;
  /** Canonical JSON of the whole envelope. */
  readonly text: string;
  readonly isCancelled: boolean;
}

/** The record of one run that begins. */
export interface RunRecording {
  /**
   * True where a call of that effect is on record, or need not be: what may write is not made where nobody could know
   * of it.
   */
  readonly gate: EffectGate;
  /** Writes how it ended. Resolves after the first try; where that failed, the end is written as soon as it can be. */
  settle(end: RecordedEnd): Promise<void>;
}

/** What is entered of a run. */
export interface RunEntry {
  readonly runRef: RunReference;
  readonly tenant: string;
  readonly contentDigest: string;
  /** Canonical JSON. */
  readonly input: string;
}

/** The records of a supervisor's runs, in a journal that may be away (gateway.md §16, §20). */
export interface RunRecords {
  /** `exists`: a run of that name is on record. `unavailable`: nothing may begin. */
  begin(entry: RunEntry): Promise<RunRecording | 'exists' | 'unavailable'>;
  /** Ends that are not written yet. */
  owed(): number;
  /** Tries once more to write them, and gives up then. */
  close(): Promise<void>;
}

/** A run is entered once, by one process. */
const EPOCH = 1;
const SETTLE_AGAIN_MS = 1000;

/** `store`: where envelopes lie that are too long for a record. */
export function runRecords(
  journal: RunJournal,
  store: ArtifactStore | null,
  settleAgainMs = SETTLE_AGAIN_MS,
): RunRecords {
  const closing = new AbortController();
  const owed = new Map<RunReference, Promise<void>>();

  function recording({ runRef, tenant }: RunEntry): RunRecording {
    let effect: RunEffect = 'none';
    let noting: Promise<unknown> = Promise.resolve();

    /** One after the other: each starts from where the one before left the record. */
    function note(next: RunEffect): Promise<boolean> {
      const noted = noting.then(async () => {
        if (effect === next || effect === 'write_open') return true;
        const isNoted = await journal
          .cas(runRef, EPOCH, { state: 'running', effect }, { state: 'running', effect: next })
          .catch(() => false);
        if (isNoted) effect = next;
        return isNoted;
      });
      noting = noted;
      return noted;
    }
    async function trySettling({ envelope, text, isCancelled }: RecordedEnd): Promise<boolean> {
      try {
        const stored = await keepEnvelope(envelope, text, { tenant, runRef, epoch: EPOCH }, store);
        const to = { state: isCancelled ? 'cancelled' : 'finished', effect, envelope: stored } as const;
        // Anyone who else wrote how it ended (a program that settles what was interrupted) has written it.
        await journal.cas(runRef, EPOCH, { state: 'running', effect }, to);
        return true;
      } catch {
        return false;
      }
    }
    async function settleLater(end: RecordedEnd): Promise<void> {
      while (!closing.signal.aborted) {
        await after(settleAgainMs, undefined, { signal: closing.signal }).catch(() => undefined);
        if (await trySettling(end)) break;
      }
      owed.delete(runRef);
    }
    return {
      gate: async (called: Effect) => {
        if (called !== 'read') return note('write_open');
        // A run that only reads comes to its end without a journal.
        await note('dispatched');
        return true;
      },
      async settle(end) {
        await noting;
        if (!(await trySettling(end))) owed.set(runRef, settleLater(end));
      },
    };
  }

  return {
    async begin(entry) {
      const { runRef, tenant } = entry;
      try {
        if ((await journal.create({ runRef, tenant, requestHash: hashOf(entry) })) !== 'new') return 'exists';
        const claimed = await journal.cas(
          runRef,
          0,
          { state: 'accepted', effect: 'none' },
          { state: 'claimed', effect: 'none' },
        );
        const isOurs =
          claimed &&
          (await journal.cas(
            runRef,
            EPOCH,
            { state: 'claimed', effect: 'none' },
            { state: 'running', effect: 'none' },
          ));
        return isOurs ? recording(entry) : 'exists';
      } catch {
        return 'unavailable';
      }
    },
    owed: () => owed.size,
    async close() {
      closing.abort();
      await Promise.all(owed.values());
    },
  };
}

function hashOf({ tenant, contentDigest, input }: RunEntry): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify([tenant, contentDigest, input]))
    .digest('hex')}`;
}
