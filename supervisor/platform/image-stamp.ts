import { statSync } from 'node:fs';

/** What distinguishes one state of a file from every other, without reading it. */
export type ImageStamp = string;

/** The image that the sandbox hosts of this process are started from. */
export interface GuestImageFile {
  /** Absolute. */
  readonly path: string;
  /** Taken before the first sandbox host was started, which reads the same path. */
  readonly stamp: ImageStamp | null;
}

/** Null for a file that is not there. */
export function imageStamp(path: string): ImageStamp | null {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? null : [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}
