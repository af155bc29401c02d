import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { DiagnosticCode } from '../../contract/diagnostics/codes.ts';
import { traceSteps } from '../evidence/reader/read-trace.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { openSafeDirectory } from '../evidence/publication/safe-directory.ts';
import { holdName, type Release } from './trace-lock.ts';

/** Bytes of a trace file, what is appended included (evidence.md §5). */
export const TRACE_FILE_BYTES = 8_000_000;
const PATIENCE_MS = 30_000;
const PRIVATE_MODE = 0o600;
const NORMAL_MODE = 0o644;
const OPEN_TO_OTHERS = 0o077;
const ROOT = 0n;

export type TraceFileFault = Extract<
  DiagnosticCode,
  'invalid_trace_destination' | 'trace_directory_missing' | 'trace_destination_unavailable' | 'trace_destination_unsafe'
>;
export type AppendEnd = 'appended' | 'trace_publication_failed';

/** A file to which sessions append their events, one whole session at a time. */
export interface SessionTraceFile {
  /** Why it cannot be appended to as it is now; null where it can. Creates nothing. */
  refusal(): Promise<TraceFileFault | null>;
  /** Adds the lines of one session, each with its line feed: all of them or none. */
  append(lines: string): Promise<AppendEnd>;
}

export interface TraceFileOptions {
  /** Absolute. */
  readonly path: string;
  /** Whether it is the owner's alone. */
  readonly isPrivate: boolean;
  readonly fileSystem: PublicationFileSystem;
  /** How long to wait for another session, milliseconds; absent: as long as evidence.md §5 says. */
  readonly patienceMs?: number;
}

export function traceFile(options: TraceFileOptions): SessionTraceFile {
  return {
    refusal: async () => {
      const place = await placeRefusal(options);
      if (place !== null) return place;
      const file = await openIfThere(options.path, constants.O_RDWR);
      if (file === null) return null;
      if (file === 'unusable') return 'invalid_trace_destination';
      try {
        return (
          fileRefusal(options, await file.stat({ bigint: true })) ??
          (isTrace(await file.readFile()) ? null : 'invalid_trace_destination')
        );
      } finally {
        await file.close();
      }
    },
    append: async (lines) => {
      try {
        return await holdLock(options, () => appendTo(options, Buffer.from(lines)));
      } catch {
        return 'trace_publication_failed';
      }
    },
  };
}

async function placeRefusal({ path, isPrivate, fileSystem }: TraceFileOptions): Promise<TraceFileFault | null> {
  const name = basename(path);
  if (!name.endsWith('.jsonl') || name.endsWith('.private.jsonl') !== isPrivate) return 'invalid_trace_destination';
  const parent = await stat(dirname(path)).catch(() => null);
  if (parent === null) return 'trace_directory_missing';
  if (!parent.isDirectory()) return 'invalid_trace_destination';
  if (!isPrivate) return null;
  const opened = await openSafeDirectory(fileSystem, dirname(path));
  if (opened.ok) {
    await opened.value.directory.close();
    return null;
  }
  return opened.fault === 'unsafe' ? 'trace_destination_unsafe' : 'trace_destination_unavailable';
}

function fileRefusal({ isPrivate }: TraceFileOptions, facts: BigIntStats): TraceFileFault | null {
  if (!facts.isFile() || facts.size > BigInt(TRACE_FILE_BYTES)) return 'invalid_trace_destination';
  if (!isPrivate) return null;
  const isOwn = facts.uid === ROOT || facts.uid === BigInt(process.getuid?.() ?? 0);
  return isOwn && (Number(facts.mode) & OPEN_TO_OTHERS) === 0 ? null : 'trace_destination_unsafe';
}

/** Null without a file of this name; a link is none that is followed. */
async function openIfThere(path: string, flags: number): Promise<FileHandle | 'unusable' | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return 'unusable';
  return open(path, flags | constants.O_NOFOLLOW).catch(() => 'unusable' as const);
}

/** By the name first, which holds before there is a file, then by the file, which may have further names. */
async function holdLock(options: TraceFileOptions, work: () => Promise<AppendEnd>): Promise<AppendEnd> {
  const { path, patienceMs = PATIENCE_MS } = options;
  const releases: Release[] = [];
  try {
    const parent = await stat(dirname(path), { bigint: true });
    const byName = await holdName(keyOf(parent.dev, parent.ino, basename(path).toLowerCase()), patienceMs);
    if (byName === null) return 'trace_publication_failed';
    releases.push(byName);
    const file = await lstat(path, { bigint: true }).catch(() => null);
    if (file !== null) {
      const byFile = await holdName(keyOf(file.dev, file.ino, ''), patienceMs);
      if (byFile === null) return 'trace_publication_failed';
      releases.push(byFile);
    }
    return await work();
  } finally {
    for (const release of releases.toReversed()) await release();
  }
}

function keyOf(device: bigint, inode: bigint, name: string): string {
  return createHash('sha256').update(`${device}/${inode}/${name}`).digest('hex');
}

async function appendTo(options: TraceFileOptions, added: Buffer): Promise<AppendEnd> {
  if ((await placeRefusal(options)) !== null) return 'trace_publication_failed';
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const there = await openIfThere(options.path, O_RDWR);
  if (there === 'unusable') return 'trace_publication_failed';
  const file =
    there ??
    (await open(options.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, options.isPrivate ? PRIVATE_MODE : NORMAL_MODE));
  try {
    const before = await file.stat({ bigint: true });
    if (fileRefusal(options, before) !== null) return 'trace_publication_failed';
    const old = await file.readFile();
    const whole = Buffer.concat([old, added]);
    if (whole.length > TRACE_FILE_BYTES || !isTrace(whole)) return 'trace_publication_failed';
    const now = await file.stat({ bigint: true });
    if (now.size !== before.size || now.mtimeNs !== before.mtimeNs || now.size !== BigInt(old.length))
      return 'trace_publication_failed';
    return await write(file, added, old.length);
  } finally {
    await file.close();
  }
}

/** What could not be written whole is taken back. */
async function write(file: FileHandle, added: Buffer, position: number): Promise<AppendEnd> {
  try {
    await file.writeFile(added);
    await file.sync();
    return 'appended';
  } catch {
    await file.truncate(position).catch(() => undefined);
    return 'trace_publication_failed';
  }
}

/** Empty files are those that nobody has written to yet. */
function isTrace(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const steps = traceSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.ok;
  }
}
