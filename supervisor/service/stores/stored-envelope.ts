import { createHash } from 'node:crypto';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { runFailure } from '../../../contract/envelope/build.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { checkStoredEnvelope } from './arguments.ts';
import type { ArtifactStore } from './interface.ts';
import { readContentAt, alreadyExists, storeContent } from './small-content.ts';

/** gateway.md §19: bytes that a record holds of an envelope; a longer one is in the artifact store. */
export const RECORD_ENVELOPE_BYTES = 1_048_576;
/** No envelope is longer: results have bounds of their own. */
const ENVELOPE_BYTES = 64 * 1024 * 1024;
const NAME = 'envelope.json';

/** In a record, in place of an envelope that is in the artifact store under the attempt that wrote it. */
export interface StoredEnvelope {
  readonly stored: typeof NAME;
  readonly bytes: number;
  /** SHA-256 as 64 hex digits. */
  readonly sha256: string;
}

/** Whose envelope, and of which attempt. */
export interface EnvelopeOwner {
  readonly tenant: string;
  readonly runRef: RunReference;
  readonly epoch: number;
}

/**
 * What a record is to hold of an envelope: itself, or where it lies. One that is too long for a record and cannot be
 * kept elsewhere is a run whose result could not be published; what it did stays reported.
 */
export async function keepEnvelope(
  envelope: RunSuccess | RunFailure,
  text: string,
  owner: EnvelopeOwner,
  store: ArtifactStore | null,
): Promise<unknown> {
  const bytes = Buffer.from(text);
  if (bytes.length <= RECORD_ENVELOPE_BYTES) return JSON.parse(text);
  const isSaved =
    store !== null &&
    (await storeContent(
      store,
      { ...owner, name: NAME },
      { dataClass: 'normal', contentType: 'application/json' },
      bytes,
    ).then(
      ({ outcome }) => outcome === 'committed',
      // An attempt has one envelope: what is there is this one, written before the record could be.
      alreadyExists,
    ));
  return isSaved
    ? ({
        stored: NAME,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      } satisfies StoredEnvelope)
    : withoutValue(envelope);
}

/** The envelope of a record, at any place; null where the record holds none, or the store has it no more. */
export async function readStoredEnvelope(
  stored: unknown,
  owner: EnvelopeOwner,
  store: ArtifactStore | null,
): Promise<unknown> {
  checkStoredEnvelope(owner, store);
  if (!isStored(stored)) return stored ?? null;
  const bytes = store === null ? null : await readContentAt(store, { ...owner, name: NAME }, ENVELOPE_BYTES);
  return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString());
}

function isStored(stored: unknown): stored is StoredEnvelope {
  return typeof stored === 'object' && stored !== null && 'stored' in stored && stored.stored === NAME;
}

function withoutValue(envelope: RunSuccess | RunFailure): RunFailure {
  const providerActivity = envelope.status === 'error' && envelope.error.provider_activity;
  const {
    run_ref: runReference,
    artifact_class: artifactClass,
    artifact_state: artifactState,
    execution,
    warnings,
  } = envelope;
  if (envelope.status === 'error' || artifactClass === 'unclassified')
    throw new Error('only a value makes an envelope so long');
  return runFailure({
    runReference,
    error: diagnostic('result_publication_failed', { providerActivity }),
    secondaryErrors: [],
    warnings,
    artifactClass,
    execution,
    artifactState: {
      ...artifactState,
      result: artifactState.result === 'not_requested' ? 'failed' : artifactState.result,
    },
  });
}
