import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ensureArtifactRoot } from '../publication/artifact-root.ts';
import type { ArtifactRootResult } from '../publication/artifact-root.ts';
import type { ArtifactReservations } from '../publication/publish-artifacts.ts';
import type { ArtifactName } from '../publication/protocol.ts';
import { removeRecovery } from '../publication/publish.ts';
import { releaseReservation, reserve } from '../publication/reservation.ts';
import type { Reservation, ReservationTools } from '../publication/reservation.ts';
import { physicalKey } from '../publication/single-file.ts';
import { reservationDiagnostic } from './destinations.ts';
import type { DestinationPlan, ExplicitDestinations, ProjectArtifacts } from './destinations.ts';

/** Order of runtime.md §1 step 10. */
const ARTIFACTS: readonly ArtifactName[] = ['trace', 'inspection', 'result'];

export type RootFault = Extract<ArtifactRootResult, { ok: false }>;

/** Whether a project asks for any artifact. */
export function usesArtifactRoot(project: ProjectArtifacts | null): project is ProjectArtifacts {
  return project !== null && (project.trace || project.inspection || project.result || project.envelope);
}

/** Makes or checks the project's artifact root where the project asks for any artifact; null where it is usable. */
export async function prepareArtifactRoot(tools: ReservationTools, project: ProjectArtifacts | null): Promise<RootFault | null> {
  if (!usesArtifactRoot(project)) return null;
  const root = await ensureArtifactRoot(tools, project.root);
  return root.ok ? null : root;
}

/** Takes all destinations of a plan, or none: what was taken is given back at the first refusal. */
export async function reserveAll(tools: ReservationTools, plan: DestinationPlan): Promise<Outcome<ArtifactReservations>> {
  const taken: Partial<Record<ArtifactName, Reservation>> = {};
  for (const artifact of ARTIFACTS) {
    const request = plan[artifact];
    if (request === null) continue;
    const result = await reserve(tools, request);
    if (!result.ok) {
      await releaseUnused(completed(taken));
      return failure(reservationDiagnostic(artifact, result.fault));
    }
    taken[artifact] = result.reservation;
  }
  return success(completed(taken));
}

function completed(taken: Partial<Record<ArtifactName, Reservation>>): ArtifactReservations {
  return { trace: taken.trace ?? null, inspection: taken.inspection ?? null, result: taken.result ?? null };
}

export async function releaseAll(reservations: ArtifactReservations): Promise<void> {
  for (const artifact of ARTIFACTS.toReversed()) {
    const reservation = reservations[artifact];
    if (reservation !== null) await releaseReservation(reservation);
  }
}

/** As `releaseAll`, for a run that never came to publish: its empty recovery file goes too. */
export async function releaseUnused(reservations: ArtifactReservations): Promise<void> {
  if (reservations.result !== null) await removeRecovery(reservations.result);
  await releaseAll(reservations);
}

/**
 * `conflicting_arguments` when two destinations that the caller named are one file; of derived names no two are equal
 * (runtime.md §1 step 4, cli.md §2).
 */
export async function checkDistinct(tools: ReservationTools, explicit: ExplicitDestinations): Promise<Outcome<null>> {
  const paths = [explicit.inspection, explicit.output, explicit.privateOutput].filter((path) => path !== null);
  if (paths.length < 2) return success(null);
  const keys = await Promise.all(paths.map((path) => physicalKey(tools, path)));
  const known = keys.filter((key) => key !== null);
  return new Set(known).size < known.length ? failure(diagnostic('conflicting_arguments')) : success(null);
}
