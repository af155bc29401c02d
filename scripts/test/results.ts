/** What became of suites, from the events that `reporter.ts` writes while their process runs: a pure machine. */

export type TestEvent =
  | { readonly event: 'loaded' | 'ended'; readonly at: number; readonly processorMs: number }
  | { readonly event: 'passed'; readonly file: string | null }
  | { readonly event: 'failed'; readonly file: string | null; readonly account: string }
  | { readonly event: 'done'; readonly at: number; readonly processorMs: number; readonly file: string };

export interface SuiteResult {
  readonly file: string;
  readonly passed: number;
  /** What mocha says of each failure. */
  readonly failures: readonly string[];
  readonly seconds: number;
  /** Of processors: what it computed, and those that it started and that ended while it ran. */
  readonly processorSeconds: number;
}

type Counts = Pick<SuiteResult, 'passed' | 'failures'>;

/** What is known of the suites of one process. */
export interface Progress {
  readonly left: readonly string[];
  readonly counts: ReadonlyMap<string, Counts>;
  /** When the last suite was done, or the process began, milliseconds. */
  readonly since: number;
  /** Of processors until then, milliseconds. */
  readonly processorSince: number;
  /** Of loading all the files, for each of them, milliseconds. */
  readonly loadingMs: number;
  readonly processorLoadingMs: number;
  /** What failed outside of the suites that are left. */
  readonly outside: readonly string[];
  readonly isComplete: boolean;
}

export interface Advanced {
  readonly progress: Progress;
  /** The suites that are done by this event. */
  readonly done: readonly SuiteResult[];
}

const NONE: Counts = { passed: 0, failures: [] };

/** @param at when the process began, milliseconds. */
export function startProgress(files: readonly string[], at: number): Progress {
  return {
    left: files,
    counts: new Map(),
    since: at,
    processorSince: 0,
    loadingMs: 0,
    processorLoadingMs: 0,
    outside: [],
    isComplete: false,
  };
}

export function advance(progress: Progress, event: TestEvent): Advanced {
  switch (event.event) {
    case 'loaded': {
      const { at: since, processorMs: processorSince } = event;
      const files = Math.max(1, progress.left.length);
      const loadingMs = (since - progress.since) / files;
      const processorLoadingMs = processorSince / files;
      return { progress: { ...progress, since, processorSince, loadingMs, processorLoadingMs }, done: [] };
    }
    case 'passed':
      return { progress: addCounts(progress, event.file, { passed: 1, failures: [] }), done: [] };
    case 'failed':
      return { progress: addCounts(progress, event.file, { passed: 0, failures: [event.account] }), done: [] };
    case 'done':
      return finishSuites(progress, [event.file], event);
    case 'ended': {
      // Files without a test, as what they need is not on this machine.
      const { progress: complete, done } = finishSuites(progress, progress.left, event);
      return { progress: { ...complete, isComplete: true }, done };
    }
  }
}

function addCounts(progress: Progress, file: string | null, { passed, failures }: Counts): Progress {
  if (file === null || !progress.left.includes(file)) {
    return { ...progress, outside: [...progress.outside, ...failures] };
  }
  const before = progress.counts.get(file) ?? NONE;
  const now = { passed: before.passed + passed, failures: [...before.failures, ...failures] };
  return { ...progress, counts: new Map([...progress.counts, [file, now]]) };
}

function finishSuites(
  progress: Progress,
  files: readonly string[],
  { at, processorMs }: { readonly at: number; readonly processorMs: number },
): Advanced {
  const { left, counts, since, processorSince, loadingMs, processorLoadingMs } = progress;
  const done = files
    .filter((file) => left.includes(file))
    .map((file, index) => {
      const isFirst = index === 0;
      return {
        file,
        ...(counts.get(file) ?? NONE),
        seconds: (loadingMs + (isFirst ? at - since : 0)) / 1000,
        processorSeconds: (processorLoadingMs + (isFirst ? processorMs - processorSince : 0)) / 1000,
      };
    });
  const rest = left.filter((file) => !files.includes(file));
  return { progress: { ...progress, left: rest, since: at, processorSince: processorMs }, done };
}

/** How a process ended: `status 1`, `SIGKILL`. */
export interface ProcessEnd {
  readonly how: string;
  readonly isWell: boolean;
  /** The end of what it printed. */
  readonly lastWords: string;
}

/** What is wrong with a process that is over, beside failures of its suites; null when nothing is. */
export function findFault(
  { outside, isComplete, left }: Progress,
  end: ProcessEnd,
  hasFailures: boolean,
): string | null {
  const explained = isComplete && (end.isWell || hasFailures || outside.length > 0);
  if (explained) return outside.length > 0 ? outside.join('\n\n') : null;
  const missing = left.length === 0 ? '' : `, and these did not end: ${left.join(' ')}`;
  return [...outside, `the process ended with ${end.how}${missing}`, end.lastWords].join('\n').trimEnd();
}

/** The events of whole lines; what follows the last of them is still being written. */
export function parseEvents(text: string): readonly TestEvent[] {
  return text.split('\n').slice(0, -1).map(parseEvent);
}

function parseEvent(line: string): TestEvent {
  const value: unknown = JSON.parse(line);
  if (!isTestEvent(value)) throw new Error(`not an event of a test: ${line}`);
  return value;
}

function isTestEvent(value: unknown): value is TestEvent {
  return typeof value === 'object' && value !== null && 'event' in value;
}
