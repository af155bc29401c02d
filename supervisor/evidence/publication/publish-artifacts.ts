import type { InodeIdentity, PublicationFileSystem } from './file-system.ts';
import {
  advance,
  beginPublication,
  type ArtifactName,
  type Publication,
  type PublicationStep,
  type StepOutcome,
} from './protocol.ts';
import { keepInRecovery, publishFile, publishRecovery, publishStaged, removeRecovery } from './publish.ts';
import type { Reservation } from './reservation.ts';

export type ArtifactReservations = Readonly<Record<ArtifactName, Reservation | null>>;

/** A trace whose end is in it. */
export interface TraceContent {
  /**
   * The synced file that it was spooled to, with what it holds; null: it could not be written, or no reader would take
   * it.
   */
  readonly staged: StagedContent | null;
}

export interface StagedContent {
  readonly identity: InodeIdentity;
  /** Length, and SHA-256 as 64 hex digits. */
  readonly bytes: number;
  readonly sha256: string;
}

/** What each artifact will hold; null where the run has nothing to publish. */
export interface ArtifactContents {
  readonly trace: TraceContent | null;
  /** The staged file that the sealed inspection was streamed into. */
  readonly inspection: InodeIdentity | null;
  readonly result: Uint8Array | null;
}

/**
 * Runs the publication protocol to its end. Reservations stay taken; the caller releases them afterwards, whatever
 * the outcome.
 */
export async function publishArtifacts(
  fileSystem: PublicationFileSystem,
  reservations: ArtifactReservations,
  contents: ArtifactContents,
): Promise<Publication> {
  let publication = beginPublication({
    requested: {
      trace: reservations.trace !== null,
      inspection: reservations.inspection !== null,
      result: reservations.result !== null,
    },
    hasRecovery: (reservations.result?.recovery ?? null) !== null,
    hasValue: contents.result !== null,
    hasTrace: contents.trace !== null,
    hasInspection: contents.inspection !== null,
  });
  let identity: InodeIdentity | null = null;
  for (let step = publication.pending[0]; step !== undefined; step = publication.pending[0]) {
    if (step === 'keep_recovery') {
      identity = await keep(fileSystem, reservations.result, contents.result);
      publication = advance(publication, identity === null ? 'failed' : 'done');
    } else {
      publication = advance(publication, await perform(fileSystem, step, reservations, contents, identity));
    }
  }
  return publication;
}

async function keep(
  fileSystem: PublicationFileSystem,
  reservation: Reservation | null,
  bytes: Uint8Array | null,
): Promise<InodeIdentity | null> {
  if (reservation === null || bytes === null) return null;
  const result = await keepInRecovery(fileSystem, reservation, bytes);
  if (result.outcome === 'done') return result.identity;
  // Removes only the empty file: a value that got there stays findable.
  await removeRecovery(reservation);
  return null;
}

async function perform(
  fileSystem: PublicationFileSystem,
  step: Exclude<PublicationStep, 'keep_recovery'>,
  reservations: ArtifactReservations,
  contents: ArtifactContents,
  identity: InodeIdentity | null,
): Promise<StepOutcome> {
  switch (step) {
    case 'publish_trace':
      return publishTrace(fileSystem, reservations.trace, contents.trace?.staged ?? null);
    case 'publish_inspection':
      return reservations.inspection === null || contents.inspection === null
        ? 'failed'
        : publishStaged(fileSystem, reservations.inspection, contents.inspection, { kind: 'seal' });
    case 'publish_result':
      return publishOne(fileSystem, reservations.result, contents.result);
    case 'publish_recovery':
      return reservations.result === null || contents.result === null || identity === null
        ? 'failed'
        : publishRecovery(fileSystem, reservations.result, identity, contents.result);
    case 'remove_recovery':
      return reservations.result === null || (await removeRecovery(reservations.result)) ? 'done' : 'failed';
  }
}

async function publishTrace(
  fileSystem: PublicationFileSystem,
  reservation: Reservation | null,
  staged: StagedContent | null,
): Promise<StepOutcome> {
  if (reservation === null || staged === null) return 'failed';
  const { identity, bytes, sha256 } = staged;
  return publishStaged(fileSystem, reservation, identity, { kind: 'digest', bytes, sha256 });
}

async function publishOne(
  fileSystem: PublicationFileSystem,
  reservation: Reservation | null,
  bytes: Uint8Array | null,
): Promise<StepOutcome> {
  return reservation === null || bytes === null ? 'failed' : publishFile(fileSystem, reservation, bytes);
}
