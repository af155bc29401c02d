import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** What a client gives back with its answers, and who may (approvals.md §6, `requestState`). */
export interface RoundOwner {
  /** Who asks, as far as a bearer says it. */
  readonly principal: string;
  readonly tool: string;
  /** Canonical JSON. */
  readonly arguments: string;
}

export interface Round {
  /** The run that waits. */
  readonly run: string;
  /** Ids of the questions of the round. */
  readonly ids: readonly string[];
  /** Milliseconds since 1970, when the first of them expires. */
  readonly expiresAt: number;
}

const VERSION = 1;
const ALGORITHM = 'aes-256-gcm';
export const STATE_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Characters of a state. */
export const REQUEST_STATE_MAX = 1024;
const PREFIX = 'apr-';

/** Seals states that nobody reads or changes outside of the processes that have the key. */
export class RoundSeal {
  readonly #key: Buffer;
  readonly #now: () => number;

  /** `key`: 32 bytes, of this process alone by default; `now`: milliseconds since 1970. */
  constructor(key: Buffer = randomBytes(STATE_KEY_BYTES), now: () => number = Date.now) {
    this.#key = key;
    this.#now = now;
  }

  seal(owner: RoundOwner, { run, ids, expiresAt }: Round): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(ownerDigest(owner));
    const short = ids.map((id) => id.slice(PREFIX.length));
    const text = JSON.stringify([run, expiresAt, ...short]);
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    const state = sealed.toString('base64url');
    if (state.length > REQUEST_STATE_MAX) throw new RangeError(`a state has ${REQUEST_STATE_MAX} characters at most`);
    return state;
  }

  /** Null for what this key did not seal for this owner, and for what is over: the answer does not say which. */
  open(owner: RoundOwner, state: string): Round | null {
    const sealed = Buffer.from(state, 'base64url');
    // What is decoded leniently would be one state in several writings.
    if (state.length > REQUEST_STATE_MAX || sealed.toString('base64url') !== state) return null;
    if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(ownerDigest(owner))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    let text: string;
    try {
      text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return null;
    }
    const round = roundOf(JSON.parse(text));
    return round === null || this.#now() >= round.expiresAt ? null : round;
  }
}

/** Of another one the tag is another: version, principal, tool and arguments. */
function ownerDigest({ principal, tool, arguments: input }: RoundOwner): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, principal, tool, input]))
    .digest();
}

function roundOf(value: unknown): Round | null {
  const [run, expiresAt, ...ids]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof run !== 'string' || typeof expiresAt !== 'number') return null;
  return { run, expiresAt, ids: ids.flatMap((id) => (typeof id === 'string' ? [`${PREFIX}${id}`] : [])) };
}

/** A key as an environment variable has it: 64 hex digits, or base64 of 32 bytes; null: it is none. */
export function readStateKey(text: string): Buffer | null {
  const input = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(input)) return Buffer.from(input, 'hex');
  const key = Buffer.from(input, 'base64');
  return key.length === STATE_KEY_BYTES && /^[A-Za-z0-9+/_-]{43}=?$/.test(input) ? key : null;
}
