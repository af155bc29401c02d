import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { plainJson } from '../../../contract/mcp/plain-json.ts';

/**
 * What happens to a gateway; names of its configuration, closed words and counts, and never a value, a credential or an
 * address (gateway.md §13).
 */
export type LogKind =
  | 'startup_stage'
  | 'startup_failed'
  | 'ready'
  | 'readiness'
  | 'unended_call'
  | 'fault'
  | 'counters'
  | 'stopped';
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

/** A log that never makes anybody wait, and never fails anything. */
export interface GatewayLog {
  report(kind: LogKind, facts?: LogFacts): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/** Lines that wait at most; of more it is reported how many were dropped. Bytes of one file, and files of one log. */
export const LOG_BOUNDS = { queued: 256, fileBytes: 16 * 1024 * 1024, files: 8 } as const;

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OTHERS = 0o077;

export const NO_LOG: GatewayLog = { report: () => undefined, close: async () => undefined };

const COUNT_EVERY_MS = 1000;

/**
 * Reports once a second how many answers there were, by the hundreds of their status; nothing where there were none.
 */
export function countAnswers(log: GatewayLog): {
  readonly answered: (status: number) => void;
  readonly stop: () => void;
} {
  let counted: Record<string, number> = {};
  const report = (): void => {
    if (Object.keys(counted).length > 0) log.report('counters', counted);
    counted = {};
  };
  const timer = setInterval(report, COUNT_EVERY_MS).unref();
  return {
    answered: (status) => {
      const name = `status_${Math.trunc(status / 100)}xx`;
      counted[name] = (counted[name] ?? 0) + 1;
    },
    stop: () => {
      clearInterval(timer);
      report();
    },
  };
}

/** JSON Lines, the file's owner's alone; what is there goes on. Null where it is no such file, or cannot be opened. */
export async function openLog(
  path: string,
  now: () => string,
  bounds: { readonly queued: number; readonly fileBytes: number; readonly files: number } = LOG_BOUNDS,
): Promise<GatewayLog | null> {
  const first = await opened(path);
  if (first === null) return null;
  let file: FileHandle | null = first.file;
  let { size } = first;
  let queue: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | null = null;

  const lineOf = (kind: string, facts: LogFacts): string => `${plainJson({ ...facts, at: now(), kind })}\n`;

  async function rotate(): Promise<void> {
    await file?.close();
    file = null;
    await rm(`${path}.${bounds.files - 1}`, { force: true });
    for (let nth = bounds.files - 2; nth >= 1; nth -= 1)
      await rename(`${path}.${nth}`, `${path}.${nth + 1}`).catch(() => undefined);
    await rename(path, `${path}.1`);
    const next = await opened(path);
    file = next?.file ?? null;
    size = next?.size ?? 0;
  }

  async function write(): Promise<void> {
    while (queue.length > 0 || dropped > 0) {
      const lines = [...queue, ...(dropped > 0 ? [lineOf('dropped', { count: dropped })] : [])];
      queue = [];
      dropped = 0;
      for (const line of lines) {
        const bytes = Buffer.from(line);
        if (size > 0 && size + bytes.length > bounds.fileBytes) await rotate();
        // A disk that takes nothing is nobody's concern here.
        if (file === null) continue;
        await file.write(bytes);
        size += bytes.length;
      }
    }
  }

  return {
    report(kind, facts = {}) {
      if (queue.length >= bounds.queued) dropped += 1;
      else queue.push(lineOf(kind, facts));
      writing ??= write()
        .catch(() => undefined)
        .finally(() => {
          writing = null;
        });
    },
    close: async () => {
      await writing;
      await file?.close().catch(() => undefined);
      file = null;
    },
  };
}

async function opened(path: string): Promise<{ readonly file: FileHandle; readonly size: number } | null> {
  try {
    const file = await open(path, FLAGS, 0o600);
    const found = await file.stat();
    if (found.isFile() && found.uid === process.geteuid?.() && (found.mode & OTHERS) === 0 && found.nlink === 1)
      return { file, size: found.size };
    await file.close();
    return null;
  } catch {
    return null;
  }
}
