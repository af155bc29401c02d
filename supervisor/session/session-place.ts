import type { Run } from '../run/run.ts';
import { freshIsolates, freshMissionIsolates, lastingIsolate, type LastingIsolate } from '../run/workflow-isolates.ts';

/** The mission of a session, with its bundle; null without components. */
export interface SessionMission {
  readonly name: string;
  readonly code: string | null;
}

/** Where the forms of a session are evaluated, and how they are named. */
export interface OpenedPlace {
  readonly run: Run;
  readonly isolate: LastingIsolate;
  /** Names of its forms in the trace (evidence.md §2). */
  readonly newFormId: () => string;
}

/** The same, opened with the first form that needs it. */
export class SessionPlace {
  readonly #open: () => Promise<OpenedPlace>;
  #opened: Promise<OpenedPlace> | null;

  constructor(run: Run | (() => Promise<Run>), mission: SessionMission | undefined) {
    this.#open = async () => placeOf(typeof run === 'function' ? await run() : run, mission);
    this.#opened = typeof run === 'function' ? null : Promise.resolve(placeOf(run, mission));
  }

  async get(): Promise<OpenedPlace> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Null: nothing needed it. */
  async opened(): Promise<OpenedPlace | null> {
    return this.#opened;
  }
}

function placeOf(run: Run, mission: SessionMission | undefined): OpenedPlace {
  let forms = 0;
  const newFormId = (): string => {
    forms += 1;
    return `repl-evaluation-${forms}`;
  };
  return {
    run,
    newFormId,
    isolate: lastingIsolate(mission === undefined ? freshIsolates(run) : freshMissionIsolates(run, mission.code)),
  };
}
