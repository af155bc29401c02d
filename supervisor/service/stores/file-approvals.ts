import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { timestampOf } from '../../../system/clock.ts';
import { decodeOwnerFacts, type OwnerFacts } from '../../evidence/publication/owner.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { publishSingleFile } from '../../evidence/publication/single-file.ts';
import {
  byAge,
  decisionText,
  EXPIRED,
  isApprovalId,
  storedApproval,
  readApprovalDecision,
  readApproval,
  readAskerFacts,
  requestText,
  ENDED_RETENTION_MS,
  type ApprovalQuery,
  type ApprovalStore,
  type StoredApproval,
} from './approval-store.ts';
import { readOwnFile } from './own-file.ts';
import { StoreError } from './store-error.ts';
import { openChild } from './versioned-files.ts';

export interface FileApprovalsOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called with a file that is none of ours, or torn: it is looked at no further. Absent: nobody is. */
  readonly ignored?: (name: string) => void;
  /**
   * Whether a question is over once the process that asked it has died: its run goes on nowhere else. Default: false.
   */
  readonly isOfProcess?: boolean;
}

/** A question, and what was written about it: a decision, or that nobody waits for it. */
interface Found {
  readonly request: ApprovalRequest;
  /** The process that asks; null where the question is of none. */
  readonly asker: OwnerFacts | null;
  readonly decision: ApprovalDecision | null;
  /** What has the name of its decision. */
  readonly place: Place;
}

/** `uncommitted`: somebody is publishing it, and it may lose its name again. */
type Place = 'absent' | 'uncommitted' | 'committed';

const OPEN_TO_OTHERS = 0o077;
const FOLDER = 'approvals';
const REQUEST_BYTES = 16_000_000;
const DECISION_BYTES = 8192;
const ENTRIES = 100_000;
/** Between two looks: a decision leaves within a second (approvals.md §12). */
const LOOK_MS = 250;
const LOOKS_AFTER_CHANGE = 8;
/** Between two looks at what another process is about to make known: two names of a file take less. */
const RIVAL_MS = 5;
const LOOKS_AT_RIVAL = 6;
/** After so many the folder is opened again: another may have its name by then. */
const LOOKS = 40;
const SWEEP_MS = 3_600_000;
const SUFFIX = '.json';
const DECISION = '.decision.json';

/**
 * Questions as files `approvals/<id>.json` and `<id>.decision.json` below a directory of this user alone. A decision is
 * a file that is made only where there is none, so that one of several wins (approvals.md §7). Several processes may
 * use it beside each other.
 */
export function fileApprovals(
  tools: ReservationTools,
  root: string,
  { now = Date.now, ignored = () => undefined, isOfProcess = false }: FileApprovalsOptions = {},
): ApprovalStore {
  let sweptAt = -Infinity;

  async function open(isMade: boolean): Promise<SafeDirectory | null> {
    const parent = await openSafeDirectory(tools.fileSystem, root);
    if (!parent.ok) {
      if (parent.fault === 'missing' && !isMade) return null;
      throw new StoreError('unavailable');
    }
    return openChild(tools, parent.value, FOLDER, isMade);
  }

  async function within<T>(absent: T, use: (directory: SafeDirectory) => Promise<T>): Promise<T> {
    const directory = await open(false);
    if (directory === null) return absent;
    try {
      return await use(directory);
    } finally {
      await directory.directory.close();
    }
  }

  /**
   * What has a name. Its staged name goes once it is there to stay; that of a process that died, when anybody writes
   * next.
   */
  async function lookFor({ directory }: SafeDirectory, name: string): Promise<Place> {
    const entry = await directory.entry(name);
    if (entry.ok) return entry.value.links > 1 ? 'uncommitted' : 'committed';
    if (entry.errno === 'ENOENT') return 'absent';
    throw new StoreError('unavailable');
  }

  async function isReadable({ directory }: SafeDirectory, name: string, maxBytes: number): Promise<boolean> {
    const entry = await directory.entry(name);
    if (!entry.ok) return true;
    const { kind, owner, mode, size } = entry.value;
    return kind === 'file' && owner === tools.fileSystem.userId && (mode & OPEN_TO_OTHERS) === 0 && size <= maxBytes;
  }

  /** Of what is committed; null for one that is not ours. */
  async function textOf(directory: SafeDirectory, name: string, maxBytes: number): Promise<string | null> {
    try {
      const bytes = await readOwnFile(tools, directory, name, maxBytes);
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    } catch (error) {
      // What is ours and cannot be read now is there all the same.
      if (!(error instanceof StoreError) || (await isReadable(directory, name, maxBytes))) throw error;
      ignored(name);
      return null;
    }
  }

  async function readStoredApproval(directory: SafeDirectory, id: string): Promise<StoredApproval | null> {
    const found = await readFound(directory, id);
    if (found === null) return null;
    const stored = storedApproval(found.request, found.decision, now());
    const { asker } = found;
    if (found.decision !== null || asker === null || (await tools.owners.isAlive(asker)) !== 'dead') return stored;
    // A yes would say that the call left, and nobody is there to make it.
    return { ...stored, isExpired: true };
  }

  /** The text of a question, with the process that waits for its answer. */
  async function questionText(request: ApprovalRequest): Promise<string> {
    return requestText(request, isOfProcess ? { asker: await tools.owners.self() } : {});
  }

  async function readFound(directory: SafeDirectory, id: string): Promise<Found | null> {
    if ((await lookFor(directory, `${id}${SUFFIX}`)) !== 'committed') return null;
    const text = await textOf(directory, `${id}${SUFFIX}`, REQUEST_BYTES);
    if (text === null) return null;
    const request = readApproval(text);
    if (request === null || request.approvalId !== id) {
      ignored(`${id}${SUFFIX}`);
      return null;
    }
    // What was absent is not read: what gets its name in between may lose it again, and another one takes it.
    const place = await lookFor(directory, `${id}${DECISION}`);
    const decided = place === 'committed' ? await textOf(directory, `${id}${DECISION}`, DECISION_BYTES) : null;
    const decision = decided === null ? null : readApprovalDecision(decided, request);
    if (decided !== null && decision === null) ignored(`${id}${DECISION}`);
    return { request, asker: decodeOwnerFacts(readAskerFacts(text)), decision, place };
  }

  /** Those of these questions whose decision is there. */
  async function decidedIn(directory: SafeDirectory, ids: ReadonlySet<string>): Promise<readonly string[]> {
    const names = await directory.directory.names(ENTRIES);
    if (!names.ok) throw new StoreError('unavailable');
    const decided: string[] = [];
    for (const name of names.value) {
      const id = name.endsWith(DECISION) ? name.slice(0, -DECISION.length) : '';
      if (!ids.has(id)) continue;
      const storedApproval = await readStoredApproval(directory, id);
      if (storedApproval !== null && (storedApproval.decision !== null || storedApproval.isExpired)) decided.push(id);
    }
    return decided;
  }

  /**
   * Looks at one open folder again and again: its names are read when it has changed, for a while after that, since
   * times of files are coarse, and now and then.
   */
  async function lookLong(
    directory: SafeDirectory,
    ids: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    let changedAt = -1;
    let sinceChange = 0;
    for (let look = 0; look < LOOKS && !signal.aborted; look += 1) {
      const status = await directory.directory.status();
      if (!status.ok) throw new StoreError('unavailable');
      sinceChange = status.value.modifiedAt === changedAt ? sinceChange + 1 : 0;
      changedAt = status.value.modifiedAt;
      const decided = sinceChange < LOOKS_AFTER_CHANGE ? await decidedIn(directory, ids) : [];
      if (decided.length > 0) return decided;
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    return [];
  }

  async function write(name: string, text: string): Promise<boolean> {
    const directory = await open(true);
    if (directory === null) throw new StoreError('unavailable');
    const outcome = await publishSingleFile(tools, { directory, name }, Buffer.from(text), true);
    if (outcome === 'exists') return false;
    if (outcome !== 'written') throw new StoreError('unavailable');
    return true;
  }

  /** Those that ended long ago go when the next question comes. */
  async function sweep(): Promise<void> {
    if (now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    const before = sweptAt - ENDED_RETENTION_MS;
    for (const { request } of await list({ tenant: null }))
      if (Date.parse(request.expiresAt) < before) await remove(request.approvalId);
  }

  const writeDecision = (request: ApprovalRequest, decision: ApprovalDecision): Promise<boolean> =>
    write(`${request.approvalId}${DECISION}`, decisionText(request, decision, timestampOf(now())));

  const foundIn = (id: string): Promise<Found | null> => within(null, (directory) => readFound(directory, id));

  /** Which of two that come together has come first is known a moment later, unless its process died. */
  async function foundSettled(id: string): Promise<Found | null> {
    let found = await foundIn(id);
    for (let look = 0; look < LOOKS_AT_RIVAL && found?.place === 'uncommitted'; look += 1) {
      await wait(RIVAL_MS);
      found = await foundIn(id);
    }
    return found;
  }

  const get = async (id: string): Promise<StoredApproval | null> =>
    isApprovalId(id) ? within(null, (directory) => readStoredApproval(directory, id)) : null;

  const list = async ({ tenant }: ApprovalQuery): Promise<readonly StoredApproval[]> =>
    within<readonly StoredApproval[]>([], async (directory) => {
      const names = await directory.directory.names(ENTRIES);
      if (!names.ok) throw new StoreError('unavailable');
      const found: StoredApproval[] = [];
      for (const name of names.value) {
        const id = name.slice(0, -SUFFIX.length);
        if (!name.endsWith(SUFFIX) || !isApprovalId(id)) continue;
        const storedApproval = await readStoredApproval(directory, id);
        if (storedApproval !== null && (tenant === null || storedApproval.request.tenant === tenant))
          found.push(storedApproval);
      }
      return found.toSorted(byAge);
    });

  async function remove(id: string): Promise<void> {
    if (!isApprovalId(id)) return;
    await within(undefined, async ({ directory }) => {
      await directory.removeFile(`${id}${SUFFIX}`);
      await directory.removeFile(`${id}${DECISION}`);
      return undefined;
    });
  }

  return {
    put: async (request) => {
      await sweep().catch(() => undefined);
      return (await write(`${request.approvalId}${SUFFIX}`, await questionText(request))) ? 'new' : 'same';
    },
    decide: async (id, tenant, decision) => {
      const storedApproval = await get(id);
      if (storedApproval === null || storedApproval.request.tenant !== tenant) return 'unknown';
      if (storedApproval.isExpired) return 'expired';
      if (storedApproval.decision !== null) return 'already';
      const isWritten = await writeDecision(storedApproval.request, decision);
      const found = await foundSettled(id);
      if (found?.decision?.by === 'expiry') return 'expired';
      if (found !== null && found.decision === null) {
        // Nobody knows whether ours stays, or what came first is gone again: a later call gets the error.
        if (isWritten || found.place === 'absent') throw new StoreError('unavailable');
        if (found.place === 'uncommitted') return 'already';
        throw new StoreError('damaged');
      }
      return isWritten ? 'decided' : 'already';
    },
    expire: async (id) => {
      const storedApproval = await get(id);
      if (storedApproval === null || storedApproval.decision !== null) return storedApproval?.decision ?? null;
      if (await writeDecision(storedApproval.request, EXPIRED)) return null;
      const first = (await foundSettled(id))?.decision ?? null;
      // Somebody is about to come first, or it cannot be read: a later call gets the error.
      if (first === null) throw new StoreError('unavailable');
      return first.by === 'expiry' ? null : first;
    },
    get,
    list,
    watch: async (ids, signal) => {
      while (!signal.aborted) {
        const found = await within<readonly string[]>([], (directory) => lookLong(directory, ids, signal));
        if (found.length > 0) return found;
        await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
      }
      return [];
    },
    remove,
  };
}
