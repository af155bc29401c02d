import { createHash } from 'node:crypto';

/** The text of a program with what evidence says of it. */
export interface ProgramSource {
  readonly text: string;
  readonly bytes: number;
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
}

export function programSource(text: string): ProgramSource {
  return { text, bytes: Buffer.byteLength(text), hash: createHash('sha256').update(text).digest('hex') };
}
