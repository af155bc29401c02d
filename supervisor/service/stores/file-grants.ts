import { createHash } from 'node:crypto';
import type { GrantKey, GrantStore, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import {
  releaseReservation,
  reserve,
  type Reservation,
  type ReservationTools,
} from '../../evidence/publication/reservation.ts';
import type { SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { grantKeys, openGrant, sealGrant, type GrantKeys, type SealedGrant } from './grant-keys.ts';
import { StoreError } from './interface.ts';
import { openTenantPart } from './tenant-folder.ts';
import { versionedFiles, type VersionedFiles } from './versioned-files.ts';

/** A text of 262,144 bytes in base64, with what is next to it. */
const FILE_BYTES = 400_000;
/** In the place of a grant that ended: the next one is a change of it, and not the first. */
const ENDED = Buffer.from('{}');

/** Where grants lie, and what they are sealed with. Rejects with StoreError. */
export interface GrantPlace {
  /** The directory that holds them, opened again; null: it is not there. */
  open(tenant: string, isMade: boolean): Promise<SafeDirectory | null>;
  /** `isMade`: there is one afterwards, if this place makes any. */
  keys(tenant: string, isMade: boolean): Promise<GrantKeys>;
  /** Throws for a grant whose key is not there; absent: such a grant is gone. */
  refuseKeyless?(key: GrantKey, epoch: number): never;
  /** The name of one grant in that directory. */
  nameOf(key: GrantKey): string;
}

/**
 * What people granted (providers.md §9, "Store") as files below `<root>/<tenant>/grants`, sealed with the tenant's keys
 * (`grantKeys`); one whose key was taken away is gone for the next caller.
 */
export function fileGrants(tools: ReservationTools, root: string): LockedGrantStore {
  return grantFiles(tools, {
    open: async (tenant, isMade) => openTenantPart(tools, root, { tenant, part: 'grants', isMade }),
    keys: async (tenant) => grantKeys(tools, root, tenant),
    nameOf: ({ principal, id }) =>
      createHash('sha256')
        .update(JSON.stringify([principal, id]))
        .digest('hex'),
  });
}

export type LockedGrantStore = Required<GrantStore>;

/** A thread that asked for a lock and is gone gives it back by then; longer than any refresh takes. */
const LOCK_MS = 15 * 60_000;

/**
 * Grants as sealed files. Several processes, and machines that share a file system, may use them beside each other.
 * Nothing is remembered: a grant that ended is gone for the next caller. Rejects with StoreError.
 */
export function grantFiles(tools: ReservationTools, place: GrantPlace): LockedGrantStore {
  const filesOf = (tenant: string): VersionedFiles =>
    versionedFiles(tools, {
      open: async (isMade) => place.open(tenant, isMade),
      maxBytes: FILE_BYTES,
      isOwn: true,
    });
  const nameOf = place.nameOf.bind(place);
  const locks = new Map<string, { readonly reservation: Reservation; readonly late: NodeJS.Timeout }>();
  const lockOf = (key: GrantKey): string => JSON.stringify([key.tenant, nameOf(key)]);

  async function unlock(key: GrantKey): Promise<void> {
    const lock = locks.get(lockOf(key));
    if (lock === undefined) return;
    locks.delete(lockOf(key));
    clearTimeout(lock.late);
    await releaseReservation(lock.reservation);
  }

  async function readVersion(key: GrantKey): Promise<{ readonly grant: StoredGrant | null; readonly version: number }> {
    const found = await filesOf(key.tenant).latest(nameOf(key));
    const sealed = found === null ? null : sealedIn(found.bytes);
    const keys: GrantKeys = sealed === null ? new Map() : await place.keys(key.tenant, false);
    if (sealed !== null && !keys.has(sealed.epoch)) place.refuseKeyless?.(key, sealed.epoch);
    return {
      grant: sealed === null ? null : openGrant(keys, key, sealed),
      version: found?.version ?? 0,
    };
  }

  return {
    read: async (key) => (await readVersion(key)).grant,
    replace: async (key, generation, grant) => {
      const { grant: before, version } = await readVersion(key);
      if ((before?.generation ?? null) !== generation) return false;
      const sealed = sealGrant(await place.keys(key.tenant, true), key, grant);
      return filesOf(key.tenant).write(nameOf(key), version + 1, Buffer.from(JSON.stringify(sealed)));
    },
    remove: async (key, generation) => {
      for (let isOver = false; !isOver;) {
        const { grant, version } = await readVersion(key);
        // Anyone who came first may have noted something of the same grant: it is looked at again.
        isOver = grant?.generation !== generation || (await filesOf(key.tenant).write(nameOf(key), version + 1, ENDED));
      }
    },
    lock: async (key) => {
      const directory = await place.open(key.tenant, false);
      if (directory === null) throw new StoreError('unavailable');
      // Nothing is ever put there: anyone who holds the name holds the grant, until its process is gone (runtime.md
      // §12).
      const name = `${nameOf(key)}.refresh`;
      const reservationResult = await reserve(tools, {
        directory,
        name,
        mode: 0o600,
        recovery: null,
        nameIsUnique: false,
      });
      if (!reservationResult.ok && reservationResult.fault.kind === 'reserved') return false;
      if (!reservationResult.ok) throw new StoreError('unavailable');
      const late = setTimeout(() => void unlock(key), LOCK_MS).unref();
      locks.set(lockOf(key), { reservation: reservationResult.reservation, late });
      return true;
    },
    unlock,
  };
}

/** Null for one that ended. */
function sealedIn(bytes: Uint8Array): SealedGrant | null {
  const { epoch, generation, nonce, tag, text }: { readonly [K in keyof SealedGrant]?: unknown } = Object(
    parsed(bytes),
  );
  if (epoch === undefined && generation === undefined) return null;
  if (
    typeof epoch !== 'number' ||
    typeof generation !== 'number' ||
    typeof nonce !== 'string' ||
    typeof tag !== 'string' ||
    typeof text !== 'string'
  )
    throw new StoreError('damaged');
  return { epoch, generation, nonce, tag, text };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new StoreError('damaged');
  }
}
