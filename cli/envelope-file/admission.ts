import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { AdmittedFile, PublishedFiles } from '../../supervisor/api/machine.ts';
import type { ArgumentFault } from '../parser/fault.ts';
import type { OtherDestination } from './destinations.ts';

export type EnvelopeAdmission =
  | { readonly kind: 'admitted'; readonly file: AdmittedFile }
  | { readonly kind: 'rejected'; readonly fault: ArgumentFault; readonly hint: string | null }
  /** Refused after the arguments: no envelope file can be written at all (cli.md §3). */
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic; readonly hint: string | null };

/**
 * Whether an envelope may be published at `path` (runtime.md §1 step 4): apart from every other destination of the
 * command, absent, and its parent a directory where this user may create it safely.
 */
export async function admitEnvelope(
  files: PublishedFiles,
  path: string,
  others: readonly OtherDestination[],
): Promise<EnvelopeAdmission> {
  const key = await files.key(path);
  for (const other of others) {
    const fault = await findOverlap(files, { path, key }, other);
    if (fault !== undefined)
      return { kind: 'rejected', fault, hint: `choose another place for --envelope than ${other.name}` };
  }
  const file = await files.admit(path);
  if (file === 'exists') return { kind: 'rejected', fault: { kind: 'envelope-exists' }, hint: null };
  if ('unavailable' in file)
    return { kind: 'unavailable', diagnostic: diagnostic('envelope_destination_unavailable'), hint: file.unavailable };
  return { kind: 'admitted', file };
}

async function findOverlap(
  files: PublishedFiles,
  envelope: { readonly path: string; readonly key: string | null },
  other: OtherDestination,
): Promise<ArgumentFault | undefined> {
  const key = await files.key(other.path);
  const isSame = envelope.path === other.path || (key !== null && key === envelope.key);
  if (isSame) return { kind: 'same-destination', option: '--envelope', other: other.name };
  if (other.kind === 'file') return undefined;
  const isInside =
    envelope.path.startsWith(`${other.path}/`) || (key !== null && envelope.key?.startsWith(`${key}/`) === true);
  return isInside ? { kind: 'inside-destination', option: '--envelope', other: other.name } : undefined;
}
