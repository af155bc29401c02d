import { createHash } from 'node:crypto';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { ArtifactStore } from '../stores/interface.ts';
import { readContentAt } from '../stores/small-content.ts';
import type { Job } from './interface.ts';

/** Where the input of a run lies that does not travel with its job: before its first attempt. */
export const STORED_INPUT = { epoch: 0, name: 'input.json' } as const;

/** The input of a job as JSON; null without one. Rejects where it is not available: another runner may have it. */
export async function readInputOfJob(
  { inputRef, tenant, runRef }: Job,
  store: ArtifactStore | null,
): Promise<Uint8Array | null> {
  if (inputRef === null) return null;
  if (inputRef.kind === 'inline') return Buffer.from(inputRef.json);
  const bytes =
    store === null ? null : await readContentAt(store, { tenant, runRef, ...STORED_INPUT }, MAX_BYTES.input);
  if (bytes === null) throw new Error('this runner does not have the store that holds the input');
  if (createHash('sha256').update(bytes).digest('hex') !== inputRef.sha256)
    throw new Error('what lies there is the input of another request');
  return bytes;
}
