import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { GrantKey, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { StoreError } from './interface.ts';
import { readOwnFile } from './own-file.ts';
import { openTenantPart } from './tenant-folder.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const EPOCH = /^[1-9]\d{0,5}$/;
const KEY = /^[0-9a-f]{64}$/i;
/** 64 digits and a line feed, however it is written. */
const KEY_FILE_BYTES = 66;
const KEYS = 1000;

/** A grant as it is in a file: sealed with the key of an epoch of its tenant. */
export interface SealedGrant {
  readonly epoch: number;
  readonly generation: number;
  /** These are base64. */
  readonly nonce: string;
  readonly tag: string;
  readonly text: string;
}

/** The keys that a tenant has now, by epoch. */
export type GrantKeys = ReadonlyMap<number, Uint8Array>;

/**
 * Keys of a tenant as files `<root>/<tenant>/keys/<epoch>`, 64 hex digits each. What is sealed from now on has the
 * highest epoch; what was sealed with a key that is no longer there cannot be read by anybody. Rejects with StoreError.
 */
export async function grantKeys(tools: ReservationTools, root: string, tenant: string): Promise<GrantKeys> {
  const directory = await openTenantPart(tools, root, { tenant, part: 'keys' });
  if (directory === null) return new Map();
  try {
    const names = await directory.directory.names(KEYS);
    if (!names.ok) throw new StoreError('unavailable');
    const keys = new Map<number, Uint8Array>();
    for (const name of names.value.filter((one) => EPOCH.test(one))) {
      const bytes = await readOwnFile(tools, directory, name, KEY_FILE_BYTES);
      const key = bytes === null ? null : parseGrantKey(Buffer.from(bytes).toString('latin1'));
      if (bytes !== null && key === null) throw new StoreError('damaged');
      if (key !== null) keys.set(Number(name), key);
    }
    return keys;
  } finally {
    await directory.directory.close();
  }
}

/** Of 64 hex digits, with or without a line feed; null for anything else. */
export function parseGrantKey(text: string): Uint8Array | null {
  const digits = text.trimEnd();
  return KEY.test(digits) ? Buffer.from(digits, 'hex') : null;
}

/** Throws StoreError where the tenant has no key. */
export function sealGrant(keys: GrantKeys, key: GrantKey, { generation, text }: StoredGrant): SealedGrant {
  const epoch = Math.max(...keys.keys());
  const secret = keys.get(epoch);
  if (secret === undefined) throw new StoreError('unavailable');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(boundTo(key, epoch, generation));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    epoch,
    generation,
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: sealed.toString('base64'),
  };
}

/** Null: the key of its epoch was taken away. Throws StoreError for what was not sealed for that key. */
export function openGrant(
  keys: GrantKeys,
  key: GrantKey,
  { epoch, generation, nonce, tag, text }: SealedGrant,
): StoredGrant | null {
  const secret = keys.get(epoch);
  if (secret === undefined) return null;
  try {
    const decipher = createDecipheriv(CIPHER, secret, Buffer.from(nonce, 'base64'), { authTagLength: 16 })
      .setAAD(boundTo(key, epoch, generation))
      .setAuthTag(Buffer.from(tag, 'base64'));
    return { generation, text: Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8') };
  } catch {
    throw new StoreError('damaged');
  }
}

/** No sealed text can replace that of another tenant, person, server or generation. */
function boundTo({ tenant, principal, id }: GrantKey, epoch: number, generation: number): Uint8Array {
  return Buffer.from(JSON.stringify([tenant, principal, id, epoch, generation]));
}
