import type { JsonObject } from '../../../contract/json/value.ts';
import { members, findText } from '../../history/analysis/members.ts';

/** Runs that are remembered, and how many of them may have ended (evidence.md §11). */
const ALL_MOST = 64;
const ENDED_MOST = 12;

/** The latest frame of each run that reported its progress: in memory alone, and no evidence. */
export interface LiveStore {
  /** Keeps a frame in place of an older one of the same run, and passes it to everyone who follows. */
  take(runId: string, frame: JsonObject): void;
  /** Newest first, by when a run was first seen. */
  frames(): readonly JsonObject[];
  /** Whether there was such a run. */
  remove(runId: string): boolean;
  /** Called with every frame from now on, until the answer is called. */
  follow(listener: (frame: JsonObject) => void): () => void;
}

export function liveStore(now: () => Date): LiveStore {
  /** In the order in which runs were first seen. */
  const frames = new Map<string, JsonObject>();
  const listeners = new Set<(frame: JsonObject) => void>();
  const drop = (most: number, isCounted: (frame: JsonObject) => boolean): void => {
    const counted = [...frames].filter(([, frame]) => isCounted(frame));
    for (const [runId] of counted.slice(0, Math.max(0, counted.length - most))) frames.delete(runId);
  };
  return {
    take: (runId, frame) => {
      const before = frames.get(runId);
      if (before !== undefined && sequenceOf(frame) < sequenceOf(before)) return;
      const entry = new Map([
        ...frame,
        ...members({ run_id: runId, first_seen_at: before?.get('first_seen_at') ?? now().toISOString() }),
      ]);
      frames.set(runId, entry);
      drop(ENDED_MOST, hasEnded);
      drop(ALL_MOST, () => true);
      for (const listener of listeners) listener(entry);
    },
    frames: () => [...frames.values()].toReversed(),
    remove: (runId) => frames.delete(runId),
    follow: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function hasEnded(frame: JsonObject): boolean {
  return findText(frame, 'phase') !== 'running';
}

function sequenceOf(frame: JsonObject): number {
  const seq = frame.get('seq');
  return typeof seq === 'number' ? seq : 0;
}
