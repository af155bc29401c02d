import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactClass } from '../../../contract/envelope/types.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { ArtifactName, Publication, PublicationCode } from '../../evidence/publication/protocol.ts';
import type { ArtifactsRequested } from '../../run/destinations.ts';
import type { ArtifactReservation, ArtifactStore, CommitOutcome } from '../stores/interface.ts';
import { alreadyExists } from '../stores/small-content.ts';
import { artifactPath } from './finished.ts';
import type { RunArtifact } from '../embedding/types.ts';

/**
 * Artifacts of one run that go on to a store: their places are taken before it begins, and filled before its end is
 * reported.
 */
export interface ArtifactUploads {
  /** Folder of this run alone, to which it publishes first. */
  readonly root: string;
  /**
   * Hands on what was published, in its order; a failure stops the chain, as one of the publication itself would
   * (runtime.md §12).
   */
  upload(published: Publication): Promise<Publication>;
  /** What the store has by now. */
  stored(): readonly RunArtifact[];
  /** Gives up places that were not filled, and removes the folder. */
  end(): Promise<void>;
}

/** Which artifacts of which attempt. */
export interface ArtifactUploadRequest {
  readonly tenant: string;
  readonly runRef: RunReference;
  readonly attempt: number;
  readonly wanted: ArtifactsRequested;
  readonly artifactClass: ArtifactClass;
}

const ORDER = ['trace', 'inspection', 'result'] as const satisfies readonly ArtifactName[];
/** Under which name a store has each artifact. */
export const ARTIFACT_FILES: Readonly<
  Record<ArtifactName, { readonly name: string; readonly contentType: string; readonly failed: PublicationCode }>
> = {
  trace: { name: 'trace.jsonl', contentType: 'application/jsonl', failed: 'trace_publication_failed' },
  inspection: {
    name: 'inspection.svcins',
    contentType: 'application/octet-stream',
    failed: 'inspection_publication_failed',
  },
  result: { name: 'result.json', contentType: 'application/json', failed: 'result_publication_failed' },
};

/**
 * Takes the places of a run's artifacts, `<tenant>/<run_ref>/<attempt>/<name>` (gateway.md §19); `spool` is a directory
 * of this process alone. `exists`: a run of that name and attempt has left some. `unavailable`: the store does not take
 * them.
 */
export async function reserveUploads(
  store: ArtifactStore,
  spool: string,
  request: ArtifactUploadRequest,
): Promise<ArtifactUploads | 'exists' | 'unavailable'> {
  const { tenant, runRef, attempt, wanted, artifactClass } = request;
  const reservations = new Map<ArtifactName, ArtifactReservation>();
  const stored: RunArtifact[] = [];
  const folder = join(spool, `${runRef}-${attempt}`);
  const root = join(folder, 'artifacts');

  async function end(): Promise<void> {
    await Promise.all([...reservations.values()].map((reservation) => store.abort(reservation).catch(() => undefined)));
    reservations.clear();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    for (const kind of ORDER.filter((name) => wanted[name])) {
      const { name, contentType } = ARTIFACT_FILES[kind];
      reservations.set(
        kind,
        await store.reserve({ tenant, runRef, epoch: attempt, name }, { dataClass: artifactClass, contentType }),
      );
    }
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    await end();
    return alreadyExists(error) ? 'exists' : 'unavailable';
  }

  async function upload(kind: ArtifactName): Promise<CommitOutcome> {
    const reservation = reservations.get(kind);
    if (reservation === undefined) throw new Error('an artifact that no place was taken for');
    await store.write(reservation, createReadStream(artifactPath(root, { kind, runRef, artifactClass })));
    const outcome = await store.commit(reservation);
    reservations.delete(kind);
    return outcome;
  }

  return {
    root,
    stored: () => stored,
    end,
    async upload(published) {
      let publication = published;
      let isBroken = false;
      for (const kind of ORDER.filter((name) => published.states[name] === 'written')) {
        if (isBroken) {
          publication = { ...publication, states: { ...publication.states, [kind]: 'not_written' } };
          continue;
        }
        const outcome = await upload(kind).catch(() => null);
        if (outcome?.outcome === 'committed') {
          const { uri, bytes, sha256 } = outcome.stored;
          stored.push({ kind, uri, bytes, sha256 });
          continue;
        }
        isBroken = true;
        const code = outcome === null ? ARTIFACT_FILES[kind].failed : 'destination_collision';
        publication = {
          ...publication,
          states: { ...publication.states, [kind]: 'failed' },
          failures: [...publication.failures, code],
        };
      }
      return publication;
    },
  };
}
