import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { holdArtifactRoot, type ArtifactRoot } from '../evidence/publication/artifact-root.ts';
import type { ArtifactReservations } from '../evidence/publication/publish-artifacts.ts';
import type { ArtifactName } from '../evidence/publication/protocol.ts';
import { removeRecovery } from '../evidence/publication/publish.ts';
import {
  releaseReservation,
  reserve,
  type Reservation,
  type ReservationResult,
  type ReservationTools,
} from '../evidence/publication/reservation.ts';
import { resolvePhysicalKey } from '../evidence/publication/single-file.ts';
import { destinationHint } from './refused-directory.ts';
import { type ProjectArtifacts } from '../documents/project/artifacts.ts';
import {
  reservationDiagnostic,
  type DestinationPlan,
  type ExplicitDestinations,
  type PlannedFile,
} from './destinations.ts';

/** Order of runtime.md §1 step 10. */
const ARTIFACTS: readonly ArtifactName[] = ['trace', 'inspection', 'result'];

/** Whether a project asks for any artifact. */
function usesArtifactRoot(project: ProjectArtifacts | null): project is ProjectArtifacts {
  return project !== null && (project.trace || project.inspection || project.result || project.envelope);
}

/** The place of a project's artifacts, held from now on; null where the project asks for none. */
export async function holdProjectRoot(
  tools: ReservationTools,
  project: ProjectArtifacts | null,
): Promise<ArtifactRoot | null> {
  return usesArtifactRoot(project) ? holdArtifactRoot(tools, project.root) : null;
}

/**
 * Takes all destinations of a plan, or none: what was taken is given back at the first refusal. What goes to a
 * project's artifact root goes to the one that was prepared.
 */
export async function reserveAll(
  tools: ReservationTools,
  plan: DestinationPlan,
  root: ArtifactRoot | null,
): Promise<Outcome<ArtifactReservations>> {
  const reserved: Partial<Record<ArtifactName, Reservation>> = {};
  for (const artifact of ARTIFACTS) {
    const request = plan[artifact];
    if (request === null) continue;
    const result = await reservePlanned(tools, request, root);
    if (!result.ok) {
      await releaseUnused(completed(reserved));
      return failure(reservationDiagnostic(artifact, result.fault), {
        hint: destinationHint(tools.fileSystem, result.fault),
      });
    }
    reserved[artifact] = result.reservation;
  }
  return success(completed(reserved));
}

async function reservePlanned(
  tools: ReservationTools,
  planned: PlannedFile,
  root: ArtifactRoot | null,
): Promise<ReservationResult> {
  if (typeof planned.directory === 'string') return reserve(tools, { ...planned, directory: planned.directory });
  if (root === null) throw new Error('what goes to a project is planned for runs of one');
  const opened = await root.open(planned.directory.child);
  if (!opened.ok) return { ok: false, fault: { kind: opened.fault, errno: opened.errno, refused: opened.refused } };
  return reserve(tools, { ...planned, directory: opened.value });
}

function completed(reserved: Partial<Record<ArtifactName, Reservation>>): ArtifactReservations {
  return { trace: reserved.trace ?? null, inspection: reserved.inspection ?? null, result: reserved.result ?? null };
}

/** False where something of them may still be there. */
export async function releaseAll(reservations: ArtifactReservations): Promise<boolean> {
  let isReleased = true;
  for (const artifact of ARTIFACTS.toReversed()) {
    const reservation = reservations[artifact];
    if (reservation !== null && !(await releaseReservation(reservation))) isReleased = false;
  }
  return isReleased;
}

/** As `releaseAll`, for a run that never came to publish: its empty recovery file goes too. */
export async function releaseUnused(reservations: ArtifactReservations): Promise<boolean> {
  const isRemoved = reservations.result === null || (await removeRecovery(reservations.result));
  return (await releaseAll(reservations)) && isRemoved;
}

/**
 * `conflicting_arguments` when two destinations that the caller named are one file; of derived names no two are equal
 * (runtime.md §1 step 4, cli.md §2).
 */
export async function checkDistinct(
  tools: ReservationTools,
  { inspection, output, privateOutput }: ExplicitDestinations,
): Promise<Outcome<null>> {
  const options = new Map<string, string>();
  for (const [option, path] of [
    ['--inspect', inspection],
    ['--output', output],
    ['--private-output', privateOutput],
  ] as const) {
    const key = path === null ? null : await resolvePhysicalKey(tools, path);
    if (key === null) continue;
    const other = options.get(key);
    if (other !== undefined)
      return failure(diagnostic('conflicting_arguments'), {
        hint: `${other} and ${option} name the same file; choose another for one of them`,
      });
    options.set(key, option);
  }
  return success(null);
}
