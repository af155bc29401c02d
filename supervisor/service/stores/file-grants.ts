import { createHash } from 'node:crypto';
import type { GrantKey, GrantStore, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import type { ReservationTools } from '../../publication/reservation.ts';
import { grantKeys, openGrant, sealGrant, type SealedGrant } from './grant-keys.ts';
import { StoreError } from './interface.ts';
import { openTenantPart } from './tenant-folder.ts';
import { versionedFiles, type VersionedFiles } from './versioned-files.ts';

/** A text of 262,144 bytes in base64, with what stands beside it. */
const FILE_BYTES = 400_000;
/** In the place of a grant that ended: the next one is a change of it, and not the first. */
const ENDED = Buffer.from('{}');

/**
 * What people granted (providers.md §9, "Store") as files below `<root>/<tenant>/grants`, sealed with the tenant's keys
 * (`grantKeys`). Several processes, and machines that share a file system, may use it beside each other. Nothing is
 * remembered: a grant that ended, or whose key was taken away, is gone for whoever asks next. Rejects with StoreError.
 */
export function fileGrants(tools: ReservationTools, root: string): GrantStore {
  const filesOf = (tenant: string): VersionedFiles =>
    versionedFiles(tools, {
      open: async (isMade) => openTenantPart(tools, root, { tenant, part: 'grants', isMade }),
      maxBytes: FILE_BYTES,
    });

  async function kept(key: GrantKey): Promise<{ readonly grant: StoredGrant | null; readonly version: number }> {
    const found = await filesOf(key.tenant).latest(nameOf(key));
    const sealed = found === null ? null : sealedIn(found.bytes);
    return {
      grant: sealed === null ? null : openGrant(await grantKeys(tools, root, key.tenant), key, sealed),
      version: found?.version ?? 0,
    };
  }

  return {
    read: async (key) => (await kept(key)).grant,
    replace: async (key, generation, grant) => {
      const { grant: before, version } = await kept(key);
      if ((before?.generation ?? null) !== generation) return false;
      const sealed = sealGrant(await grantKeys(tools, root, key.tenant), key, grant);
      return filesOf(key.tenant).write(nameOf(key), version + 1, Buffer.from(JSON.stringify(sealed)));
    },
    remove: async (key, generation) => {
      for (let isOver = false; !isOver;) {
        const { grant, version } = await kept(key);
        // Whoever came first may have noted something of the same grant: it is looked at again.
        isOver = grant?.generation !== generation || (await filesOf(key.tenant).write(nameOf(key), version + 1, ENDED));
      }
    },
  };
}

function nameOf({ principal, id }: GrantKey): string {
  return createHash('sha256')
    .update(JSON.stringify([principal, id]))
    .digest('hex');
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
