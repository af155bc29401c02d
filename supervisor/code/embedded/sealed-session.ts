import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Continuation } from '../../calls/kernel/continuations/store.ts';
import type { NotRestoredCode } from './session-errors.ts';

/**
 * A saved session, in this order: mark, epoch of its key, SHA-256 of its tenant, nonce (all in the clear, and part of
 * what the seal is over), sealed content, tag of the seal, SHA-256 of all before it. That last one does not prove who
 * wrote the bytes: by it bytes that were changed by accident are distinguished from another tenant's.
 */
const MARK = Buffer.from('svcses01', 'latin1');
const EPOCH_BYTES = 4;
const HASH_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MARK.length + EPOCH_BYTES + HASH_BYTES + NONCE_BYTES;
const CIPHER = 'aes-256-gcm';
const LENGTH_BYTES = 4;
/** Of a saved session (code-mode.md §6). */
export const SAVED_BYTES_MAX = 64_000_000;

/** What is saved of a session, and what it may be opened as again. */
export interface SavedSession {
  /** Digest of the room. */
  readonly room: string;
  /** Of values as text. */
  readonly revision: string;
  /** Null: nothing was kept. */
  readonly continuation: Continuation | null;
}

export interface SealKey {
  /** 0: given by the caller. */
  readonly epoch: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Null: it would be larger than a saved session may be. */
export function sealSession(saved: SavedSession, tenant: string, { epoch, key }: SealKey): Uint8Array | null {
  const content = contentOf(saved);
  if (HEAD_BYTES + content.length + TAG_BYTES + HASH_BYTES > SAVED_BYTES_MAX) return null;
  const number = Buffer.alloc(EPOCH_BYTES);
  number.writeUInt32BE(epoch);
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([MARK, number, tenantHash(tenant), nonce]);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(head);
  const sealed = Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([sealed, sha256(sealed)]);
}

/** A sealed session that is whole, and this tenant's by what it says in the clear. */
export interface SealedSession {
  readonly epoch: number;
  /** Its content; null: it was not sealed with that key. Copies no text into a value: that is done in an isolate. */
  open(key: Uint8Array): SavedSession | null;
}

/** Looks at bytes that anybody may have written. */
export function readSealed(
  bytes: Uint8Array,
  tenant: string,
): { readonly ok: true; readonly sealed: SealedSession } | { readonly ok: false; readonly code: NotRestoredCode } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const sealedEnd = all.length - HASH_BYTES;
  const isWhole =
    all.length <= SAVED_BYTES_MAX &&
    sealedEnd >= HEAD_BYTES + TAG_BYTES &&
    all.subarray(0, MARK.length).equals(MARK) &&
    sha256(all.subarray(0, sealedEnd)).equals(all.subarray(sealedEnd));
  if (!isWhole) return { ok: false, code: 'damaged' };
  const head = all.subarray(0, HEAD_BYTES);
  const tenantAt = MARK.length + EPOCH_BYTES;
  if (!head.subarray(tenantAt, tenantAt + HASH_BYTES).equals(tenantHash(tenant)))
    return { ok: false, code: 'other_tenant' };
  const nonce = head.subarray(HEAD_BYTES - NONCE_BYTES);
  const tagAt = sealedEnd - TAG_BYTES;
  return {
    ok: true,
    sealed: {
      epoch: head.readUInt32BE(MARK.length),
      open: (key) => {
        try {
          const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
            .setAAD(head)
            .setAuthTag(all.subarray(tagAt, sealedEnd));
          const content = Buffer.concat([decipher.update(all.subarray(HEAD_BYTES, tagAt)), decipher.final()]);
          return savedIn(content);
        } catch {
          return null;
        }
      },
    },
  };
}

/** Length of the facts, the facts as JSON, then the texts, whose lengths the facts have. */
function contentOf({ room, revision, continuation }: SavedSession): Buffer {
  const definitions = Buffer.from(continuation?.definitions ?? '', 'utf8');
  const history = (continuation?.history ?? []).map((text) => Buffer.from(text, 'utf8'));
  const facts = Buffer.from(
    JSON.stringify({
      room,
      revision,
      defined: continuation?.definedCount ?? null,
      definitions: definitions.length,
      history: history.map(({ length }) => length),
    } satisfies SavedFacts),
    'utf8',
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(facts.length);
  return Buffer.concat([length, facts, definitions, ...history]);
}

interface SavedFacts {
  readonly room: string;
  readonly revision: string;
  /** Null: nothing was kept. */
  readonly defined: number | null;
  /** Bytes. */
  readonly definitions: number;
  readonly history: readonly number[];
}

const FACTS_BYTES_MAX = 4096;
const HISTORY_MAX = 3;

/** Null for what `contentOf` cannot have written. */
function savedIn(content: Buffer): SavedSession | null {
  if (content.length < LENGTH_BYTES) return null;
  const factsEnd = LENGTH_BYTES + content.readUInt32BE(0);
  if (factsEnd > LENGTH_BYTES + FACTS_BYTES_MAX || factsEnd > content.length) return null;
  const facts: unknown = JSON.parse(content.toString('utf8', LENGTH_BYTES, factsEnd));
  if (!isFacts(facts)) return null;
  const { room, revision, defined } = facts;
  const lengths = [facts.definitions, ...facts.history];
  if (factsEnd + lengths.reduce((sum, length) => sum + length, 0) !== content.length) return null;
  if (defined === null) return { room, revision, continuation: null };
  let at = factsEnd;
  const [definitions = '', ...history] = lengths.map((length) => {
    at += length;
    return content.toString('utf8', at - length, at);
  });
  return {
    room,
    revision,
    continuation: {
      definitions,
      history,
      definedCount: defined,
      memoryBytes: facts.definitions,
      historyBytes: facts.history.reduce((sum, length) => sum + length, 0),
      largestHistoryBytes: Math.max(0, ...facts.history),
    },
  };
}

function isFacts(value: unknown): value is SavedFacts {
  if (typeof value !== 'object' || value === null) return false;
  const facts: Partial<Record<keyof SavedFacts, unknown>> = value;
  const isCount = (count: unknown): boolean => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  return (
    typeof facts.room === 'string' &&
    typeof facts.revision === 'string' &&
    (facts.defined === null || isCount(facts.defined)) &&
    isCount(facts.definitions) &&
    Array.isArray(facts.history) &&
    facts.history.length <= HISTORY_MAX &&
    facts.history.every(isCount)
  );
}

function tenantHash(tenant: string): Buffer {
  return createHash('sha256').update(`svc session ${tenant}`).digest();
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
