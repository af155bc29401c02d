import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { ArgumentFault } from '../parser/fault.ts';
import type { OtherDestination } from './destinations.ts';

/** What the command line asks of the place where its envelope will lie. All paths are absolute. */
export interface EnvelopeFiles {
  /** Physical identity of a destination that need not exist; null when no ancestor can be read. */
  key(path: string): Promise<string | null>;
  admit(path: string): Promise<'admitted' | 'exists' | 'unavailable'>;
  /** Writes all bytes under the final name or leaves nothing under it. */
  publish(path: string, bytes: Uint8Array): Promise<boolean>;
}

export type EnvelopeAdmission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'rejected'; readonly fault: ArgumentFault; readonly hint: string | null }
  /** Refused after the arguments: no envelope file can be written at all (cli.md §3). */
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic };

/**
 * Whether an envelope may be published at `path` (runtime.md §1 step 4): apart from every other destination of the
 * command, absent, and its parent a directory where this user may create it safely.
 */
export async function admitEnvelope(
  files: EnvelopeFiles, path: string, others: readonly OtherDestination[],
): Promise<EnvelopeAdmission> {
  const key = await files.key(path);
  for (const other of others) {
    const fault = await overlap(files, { path, key }, other);
    if (fault !== undefined) return { kind: 'rejected', fault, hint: `choose another place for --envelope than ${other.name}` };
  }
  switch (await files.admit(path)) {
    case 'admitted':
      return { kind: 'admitted' };
    case 'exists':
      return { kind: 'rejected', fault: { kind: 'envelope-exists' }, hint: null };
    case 'unavailable':
      return { kind: 'unavailable', diagnostic: diagnostic('envelope_destination_unavailable') };
  }
}

async function overlap(
  files: EnvelopeFiles, envelope: { readonly path: string; readonly key: string | null }, other: OtherDestination,
): Promise<ArgumentFault | undefined> {
  const key = await files.key(other.path);
  const isSame = envelope.path === other.path || (key !== null && key === envelope.key);
  if (isSame) return { kind: 'same-destination', option: '--envelope', other: other.name };
  if (other.kind === 'file') return undefined;
  const isInside = envelope.path.startsWith(`${other.path}/`) || (key !== null && envelope.key?.startsWith(`${key}/`) === true);
  return isInside ? { kind: 'inside-destination', option: '--envelope', other: other.name } : undefined;
}
