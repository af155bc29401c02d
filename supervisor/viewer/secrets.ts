import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;
/** A token that people choose is at least this long (evidence.md §11). */
export const LEAST_TOKEN_BYTES = 32;

/** 32 random bytes as base64url: a nonce, a session id, a token. */
export function randomSecret(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** A secret that can be compared and no longer read. */
export interface HashedSecret {
  /** Takes the same time whatever is given. */
  matches(input: string | null): boolean;
}

export function keepSecret(secret: string): HashedSecret {
  const hash = hashOf(secret);
  return { matches: (input) => timingSafeEqual(hash, hashOf(input ?? '')) && input !== null };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
