import { createHash, randomBytes } from 'node:crypto';
import type { InodeIdentity } from './file-system.ts';

/** The four directories of a project's artifact root (documents.md §6, "Layout"). */
export const ARTIFACT_DIRECTORIES = ['envelopes', 'inspection', 'results', 'traces'] as const;
export type ArtifactDirectory = (typeof ARTIFACT_DIRECTORIES)[number];

/** Where `svc test` keeps its reports, below the artifact root (first-day.md §2). */
export const REPORTS_FOLDER = 'tests';

/** Hidden names that publication uses beside a destination (runtime.md §12). */
export const STAGING_PREFIX = '.svc-private-';
export const LOCK_SUFFIX = '.svc-reservation';
/** The marker in a lock or staging directory that names its owner. */
export const OWNER_NAME = 'owner';
/** The staged content, whatever its final name. */
export const STAGED_NAME = 'content';

const STAGING_PATTERN = /^\.svc-private-[0-9a-f]{12}$/;
const LOCK_PATTERN = /^\.[0-9a-f]{64}\.svc-reservation$/;

export function newStagingName(): string {
  return `${STAGING_PREFIX}${randomBytes(6).toString('hex')}`;
}

/** One name per physical destination, also where the file system ignores case. */
export function lockName(parent: InodeIdentity, name: string): string {
  const digest = createHash('sha256').update(destinationKey(parent, name)).digest('hex');
  return `.${digest}${LOCK_SUFFIX}`;
}

/** Two destinations are one file exactly when their keys are equal (runtime.md §1 step 4). */
export function destinationKey(parent: InodeIdentity, name: string): string {
  return `${parent}/${foldedName(name)}`;
}

export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

const PARTIAL_PATTERN = /^cmd-[0-7][0-9a-z]{25}\.svcins\.partial$/;

/** What an inspection becomes whose run was killed (evidence.md §6). */
export function partialName(runRef: string): string {
  return `${runRef}.svcins.partial`;
}

export function isPartialName(name: string): boolean {
  return PARTIAL_PATTERN.test(name);
}

export function isStagingName(name: string): boolean {
  return STAGING_PATTERN.test(name);
}

export function isLockName(name: string): boolean {
  return LOCK_PATTERN.test(name);
}
