import { basename } from 'node:path';

/** Progress of one run for people (cli.md §4, `--progress`): never changes a result, and a failing writer is ignored. */
export interface Progress {
  /** The last word; nothing is written afterwards. */
  readonly finish: (outcome: 'completed' | 'failed') => void;
}

export interface ProgressOptions {
  /** Path of the document that is run. */
  readonly document: string;
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Silence after which a piped progress says that the run still goes on. */
const SILENCE_MS = 10_000;
/** A terminal shows the seconds. */
const REDRAW_MS = 1000;
const TITLE_BYTES_MAX = 128;

export function startProgress(options: ProgressOptions): Progress {
  const { isTerminal, now } = options;
  const started = now();
  const elapsed = (): string => clockText(now() - started);
  const title = titleOf(options.document);
  let drawn = 0;
  let isHeard = true;
  const write = (text: string): void => {
    if (!isHeard) return;
    try {
      options.write(text);
    } catch {
      // Progress is worth nothing compared with the run.
      isHeard = false;
    }
  };
  const draw = (): void => {
    const line = `running ${elapsed()}`;
    write(`\r${line.padEnd(drawn)}`);
    drawn = line.length;
  };
  const timer = isTerminal ? setInterval(draw, REDRAW_MS)
    : setInterval(() => { write(`[${elapsed()}] still running\n`); }, SILENCE_MS);
  timer.unref();
  write(isTerminal ? `${title}\n` : `[${elapsed()}] preparing ${title}\n`);
  return {
    finish: (outcome) => {
      clearInterval(timer);
      write(isTerminal ? `\r${`${outcome} ${elapsed()}`.padEnd(drawn)}\n` : `[${elapsed()}] ${outcome}\n`);
    },
  };
}

/** `MM:SS`; minutes go on beyond 99. */
function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
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
