import { basename } from 'node:path';
import {
  EMPTY_VIEW,
  withEvent,
  withProgram,
  type LiveLimits,
  type RunObserver,
  type RunView,
} from '../../supervisor/api/run.ts';
import {
  agentEvent,
  endedPrograms,
  pipedLine,
  spentDetails,
  terminalLine,
  waitingDetails,
  type Moment,
} from './lines.ts';
import { frameLine, frameState, titleFrame, type FrameEvent } from './frames.ts';
import type { ProgressStream } from './stream.ts';

/**
 * Progress of one run for people (cli.md §4, `--progress`): never changes a result, and a failing writer is ignored.
 */
export interface Progress {
  readonly observer: RunObserver;
  /** Nothing is written until what it returns is called: somebody else has the terminal. */
  readonly hold: () => () => void;
  /** The last word; nothing is written afterwards. Waits a moment for a stream that is slow, and no longer. */
  readonly finish: (outcome: 'completed' | 'failed') => Promise<void>;
}

export interface ProgressOptions {
  /** Path of the document that is run. */
  readonly document: string;
  readonly stream: ProgressStream;
  /** Frames for programs, whatever the stream is (cli.md §12.7); absent: lines for people. */
  readonly isJson?: boolean;
  /** For a terminal whose user did not ask: one line, and none of it once the run is over; absent: no. */
  readonly isTransient?: boolean;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** A run is looked at this often (evidence.md §10); what changed twice in between is reported once. */
const TICK_MS = 300;
/** Silence after which a pipe gets a line that the run still goes on. */
const SILENCE_MS = 10_000;
/** A run that is over before is not worth a line that comes and goes. */
const UNSEEN_MS = 1000;
const TITLE_BYTES_MAX = 128;

export function startProgress(options: ProgressOptions): Progress {
  const { document, stream, now } = options;
  const started = now();
  let view = EMPTY_VIEW;
  let opened: { readonly limits: LiveLimits; readonly deadline: number } | null = null;
  const moment = (): Moment => ({
    view,
    elapsed: now() - started,
    started: opened === null ? null : { limits: opened.limits, remaining: opened.deadline - now() },
  });
  const reporter = reporterOf(options);
  reporter.title(titleOf(document));
  let stopped = 0;
  const timer = setInterval(() => {
    if (stopped === 0) reporter.tick(moment());
  }, TICK_MS);
  timer.unref();
  return {
    observer: {
      started: (limits, remainingMs) => {
        opened = { limits, deadline: now() + remainingMs };
      },
      event: (event) => {
        view = withEvent(view, event);
      },
      program: (program) => {
        view = withProgram(view, program);
      },
    },
    hold: () => {
      stopped += 1;
      reporter.clear?.();
      return () => {
        stopped -= 1;
      };
    },
    finish: async (outcome) => {
      clearInterval(timer);
      reporter.finish(moment(), outcome);
      await stream.settle();
    },
  };
}

function reporterOf({ stream, isJson = false, isTransient = false }: ProgressOptions): Reporter {
  if (isJson) return jsonReporter(stream);
  if (isTransient) return transientReporter(stream);
  return stream.isTerminal ? terminalReporter(stream) : pipedReporter(stream);
}

/** How one kind of stream shows a run. */
interface Reporter {
  title(title: string): void;
  tick(moment: Moment): void;
  finish(moment: Moment, outcome: 'completed' | 'failed'): void;
  /** Takes away what is to be written over; absent: nothing is. */
  clear?(): void;
}

/** Lines: one for each change, and one after each long silence. */
function pipedReporter(stream: ProgressStream): Reporter {
  let shown: RunView = EMPTY_VIEW;
  let lastAt = 0;
  const write = (line: string, elapsed: number): void => {
    stream.write(line);
    lastAt = elapsed;
  };
  const changes = (moment: Moment): void => {
    const { view, elapsed } = moment;
    const spent = spentDetails(moment);
    if (view.stage !== null && view.stage !== shown.stage) write(pipedLine(elapsed, view.stage, spent), elapsed);
    for (const [id, agent] of view.agents) {
      if (shown.agents.get(id) === agent) continue;
      const [event, kind] = agentEvent(id, agent);
      write(pipedLine(elapsed, event, [kind, ...spent]), elapsed);
    }
    for (const { line, outcome } of endedPrograms(shown, view))
      write(pipedLine(elapsed, `program ${line}`, [outcome, ...spent]), elapsed);
    shown = view;
  };
  return {
    title: (title) => {
      write(pipedLine(0, `preparing ${title}`), 0);
    },
    tick: (moment) => {
      changes(moment);
      if (moment.elapsed - lastAt >= SILENCE_MS)
        write(pipedLine(moment.elapsed, 'still running', waitingDetails(moment)), moment.elapsed);
    },
    finish: (moment, outcome) => {
      changes(moment);
      write(pipedLine(moment.elapsed, outcome, spentDetails(moment)), moment.elapsed);
    },
  };
}

/**
 * An object a line: one at the start, one for each change of what it says in addition to time, one after each long
 * silence, one at the end.
 */
function jsonReporter(stream: ProgressStream): Reporter {
  let shown = frameState({ view: EMPTY_VIEW });
  let lastAt = 0;
  const write = (event: FrameEvent, moment: Moment): void => {
    stream.write(frameLine(event, moment));
    shown = frameState(moment);
    lastAt = moment.elapsed;
  };
  return {
    title: (title) => {
      stream.write(titleFrame(title));
    },
    tick: (moment) => {
      if (frameState(moment) !== shown) write('progress', moment);
      else if (moment.elapsed - lastAt >= SILENCE_MS) write('still_running', moment);
    },
    finish: (moment, outcome) => {
      write(outcome, moment);
    },
  };
}

/** One line that is rewritten in place; spaces cover what the line before had more. */
function terminalReporter(stream: ProgressStream): Reporter {
  let drawn = '';
  const draw = (line: string): void => {
    if (line === drawn) return;
    stream.write(`\r${line.padEnd(drawn.length)}`);
    drawn = line;
  };
  return {
    title: (title) => {
      stream.write(`${title}\n`);
    },
    // A character in the last column would move some terminals to the next line.
    tick: (moment) => {
      draw(terminalLine(moment, stream.columns() - 1));
    },
    finish: (moment, outcome) => {
      const phase = {
        ...moment,
        view: { ...moment.view, stage: outcome, agents: new Map(), workers: 0 },
        started: null,
      };
      stream.write(`\r${terminalLine(phase, stream.columns() - 1).padEnd(drawn.length)}\n`);
    },
  };
}

/** As for a terminal, without title and end: a run that is soon over shows nothing, and no run leaves anything. */
function transientReporter(stream: ProgressStream): Reporter {
  let drawn = '';
  const clear = (): void => {
    if (drawn !== '') stream.write(`\r${' '.repeat(drawn.length)}\r`);
    drawn = '';
  };
  return {
    title: () => undefined,
    tick: (moment) => {
      if (moment.elapsed < UNSEEN_MS) return;
      const line = terminalLine(moment, stream.columns() - 1);
      if (line !== drawn) stream.write(`\r${line.padEnd(drawn.length)}`);
      drawn = line;
    },
    finish: clear,
    clear,
  };
}

/** Base name of the argument, control characters as `?`, cut to whole characters of at most 128 bytes. */
function titleOf(document: string): string {
  let title = '';
  for (const character of basename(document)) {
    const shown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(character) ? '?' : character;
    if (Buffer.byteLength(title + shown) > TITLE_BYTES_MAX) break;
    title += shown;
  }
  return title;
}
