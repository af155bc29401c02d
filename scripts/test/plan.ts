/** Which suites run in one process, and in which order: a pure plan from seconds that were measured before. */
import type { PartName, Suite } from './parts.ts';

/** What one mocha process runs. */
export interface Job {
  readonly part: PartName;
  readonly files: readonly string[];
  /** How long it is expected to run. */
  readonly seconds: number;
}

export interface Plan {
  /** For any number of workers, longest first, so that they end at about the same time. */
  readonly jobs: readonly Job[];
  /** For the time after, when nothing else runs. */
  readonly alone: readonly Job[];
}

/** How long suites took, by file. */
export type Measured = Readonly<Record<string, number>>;

/** A suite that takes as long has a process of its own. */
const OWN_SECONDS = 45;
/**
 * Others share a process for this long: starting one and loading the product takes one to four seconds of processors,
 * and of 40 seconds each there were 173 of them.
 */
const SHARED_SECONDS = 120;
/** Of a list without a single suite that is wanted. */
const GUESSED_SECONDS = 5;

/** Suites with nothing beside them: hosts that spin on every processor make their next isolate when one is free. */
const ALONE: ReadonlySet<string> = new Set(['sandbox/pool/pool.test.ts', 'sandbox/pool/hosts-shared.test.ts']);
export const isAlone = (file: string): boolean => ALONE.has(file);

export function planJobs(suites: readonly Suite[], measured: Measured): Plan {
  const expected = expectSeconds(suites, measured);
  const kinds = Map.groupBy(suites, ({ part, file }) => `${part} ${isAlone(file)}`);
  const jobs = [...kinds.values()].flatMap((those) => groupSuites(those, expected));
  const sorted = jobs.toSorted((one, other) => other.seconds - one.seconds);
  const runsAlone = ({ files }: Job): boolean => files.some(isAlone);
  return { jobs: sorted.filter((job) => !runsAlone(job)), alone: sorted.filter(runsAlone) };
}

/** What a suite is expected to take. One that nobody measured is like the middle one of its part. */
export function expectSeconds(suites: readonly Suite[], measured: Measured): (suite: Suite) => number {
  const parts = Map.groupBy(suites, ({ part }) => part);
  const middles = new Map(
    [...parts].map(([part, those]) => [part, medianOf(those.flatMap(({ file }) => measured[file] ?? []))]),
  );
  return ({ part, file }) => measured[file] ?? middles.get(part) ?? GUESSED_SECONDS;
}

/** Neighbours share a process, as they import much the same; a long suite has one to itself. */
function groupSuites(suites: readonly Suite[], expected: (suite: Suite) => number): readonly Job[] {
  const jobs: { part: PartName; files: string[]; seconds: number }[] = [];
  let shared: { part: PartName; files: string[]; seconds: number } | null = null;
  for (const suite of suites) {
    const { part, file } = suite;
    const seconds = expected(suite);
    if (seconds >= OWN_SECONDS) {
      jobs.push({ part, files: [file], seconds });
    } else if (shared !== null && shared.seconds + seconds <= SHARED_SECONDS) {
      shared.files.push(file);
      shared.seconds += seconds;
    } else {
      shared = { part, files: [file], seconds };
      jobs.push(shared);
    }
  }
  return jobs;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? GUESSED_SECONDS;
}

/** The list of seconds after a run: files that are gone drop out, and what did not run keeps its figure. */
export function updateMeasured(before: Measured, ran: Measured, isThere: (file: string) => boolean): Measured {
  const files = Object.entries({ ...before, ...ran }).filter(([file]) => isThere(file));
  return Object.fromEntries(
    files
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([file, seconds]) => [file, Math.round(seconds * 10) / 10]),
  );
}
