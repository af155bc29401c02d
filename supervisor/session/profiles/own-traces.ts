import type { OpenDirectory } from '../../evidence/publication/file-system.ts';
import { sweepLeftovers, type SweepTools } from '../../evidence/publication/sweep.ts';

/** Directories that are looked at in one sweep. */
const CANDIDATE_LIMIT = 256;
const ENTRY_LIMIT = 4096;
/** An empty one may be of a session that is just beginning: the grace of prune (cli.md §10). */
const EMPTY_GRACE_MS = 600_000;
/** How long a trace that was reported is kept at most, and how many are. */
const RETENTION_MS = 86_400_000;
const STORED_COUNT = 64;

const NAME = /^svc-session-[0-9a-f]{12}$/;
const TRACE = /^[a-z-]+-[0-9a-f]{16}\.jsonl$/;

/** The name of the directory of one session whose caller names none (cli.md §11, option 13). */
export function ownTracesName(random: (size: number) => Buffer): string {
  return `svc-session-${random(6).toString('hex')}`;
}

/** What a sweep found: a session that ended, whose trace was reported. */
interface EndedSession {
  readonly name: string;
  readonly traces: readonly string[];
  readonly endedAt: number;
}

/**
 * Removes what sessions left in the directory that theirs lie in: all of those that were killed, and traces of the
 * others once they are a day old or more than sixty-four. A session that lives has a reservation in its own, which is
 * never touched.
 */
export async function sweepOwnTraces(tools: SweepTools, root: OpenDirectory): Promise<void> {
  const names = await root.names(ENTRY_LIMIT);
  if (!names.ok) return;
  const ended: EndedSession[] = [];
  for (const name of names.value.filter((candidate) => NAME.test(candidate)).slice(0, CANDIDATE_LIMIT)) {
    const found = await sweepOne(tools, root, name);
    if (found !== null) ended.push(found);
  }
  const newest = ended.toSorted((a, b) => b.endedAt - a.endedAt);
  for (const [place, { name, traces, endedAt }] of newest.entries()) {
    if (place >= STORED_COUNT || tools.wallClock() - endedAt > RETENTION_MS) await removeEnded(root, name, traces);
  }
}

/** Null: it is gone, lives, or is not of a session. */
async function sweepOne(tools: SweepTools, root: OpenDirectory, name: string): Promise<EndedSession | null> {
  const opened = await root.openDirectory(name);
  if (!opened.ok) return null;
  const directory = opened.value;
  try {
    const status = await directory.status();
    const before = await directory.names(CANDIDATE_LIMIT);
    if (!status.ok || !before.ok || status.value.owner !== tools.fileSystem.userId) return null;
    await sweepLeftovers(tools, directory);
    const after = await directory.names(CANDIDATE_LIMIT);
    if (!after.ok) return null;
    const isKilled = before.value.length > 0 || tools.wallClock() - status.value.modifiedAt > EMPTY_GRACE_MS;
    if (after.value.length === 0 && isKilled) await root.removeDirectory(name);
    if (after.value.length === 0 || !after.value.every((entry) => TRACE.test(entry))) return null;
    return { name, traces: after.value, endedAt: status.value.modifiedAt };
  } finally {
    await directory.close();
  }
}

async function removeEnded(root: OpenDirectory, name: string, traces: readonly string[]): Promise<void> {
  const opened = await root.openDirectory(name);
  if (!opened.ok) return;
  for (const trace of traces) await opened.value.removeFile(trace);
  await opened.value.close();
  await root.removeDirectory(name);
}
