import type { ProjectArtifacts } from '../documents/project/artifacts.ts';
import { diagnostic, type Cause, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import type { ArtifactClass } from '../../contract/envelope/types.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { recoveryName } from '../../contract/recovery-name.ts';
import { partialName, type ArtifactDirectory } from '../evidence/publication/names.ts';
import type { ArtifactName } from '../evidence/publication/protocol.ts';
import type { ReservationFault, ReservationRequest } from '../evidence/publication/reservation.ts';
import { splitPath } from '../evidence/publication/single-file.ts';

/** Where the command line asks artifacts to go; absolute paths, null where it says nothing. */
export interface ExplicitDestinations {
  readonly traceDirectory: string | null;
  readonly inspection: string | null;
  readonly output: string | null;
  readonly privateOutput: string | null;
}

export interface DestinationRequest {
  readonly runRef: string;
  readonly artifactClass: ArtifactClass;
  readonly explicit: ExplicitDestinations;
  readonly project: ProjectArtifacts | null;
}

/** Which artifacts a run was asked to leave. */
export type ArtifactsRequested = Readonly<Record<ArtifactName, boolean>>;

/** A file that is to be reserved, in a directory that the command line names or below the project's artifact root. */
export interface PlannedFile extends Omit<ReservationRequest, 'directory'> {
  readonly directory: string | { readonly child: ArtifactDirectory };
}

export type DestinationPlan = Readonly<Record<ArtifactName, PlannedFile | null>>;

/** A run reference without entropy names no run uniquely (runtime.md §2). */
const NO_ENTROPY = /^cmd-0{26}$/;

/**
 * Where each artifact will be, command line before project (documents.md §6), names after class (runtime.md §12).
 * Touches no file.
 */
export function planDestinations(request: DestinationRequest): Outcome<DestinationPlan> {
  const inspection = planInspection(request);
  if (!inspection.ok) return inspection;
  const result = planResult(request);
  return result.ok
    ? success({ trace: planTrace(request), inspection: inspection.value, result: result.value })
    : result;
}

/** Which artifacts were asked for, whatever becomes of the run; for runs that end before their plan. */
export function requestedArtifacts(
  explicit: ExplicitDestinations,
  project: ProjectArtifacts | null,
): ArtifactsRequested {
  return {
    trace: explicit.traceDirectory !== null || project?.trace === true,
    inspection: explicit.inspection !== null || project?.inspection === true,
    result: explicit.output !== null || explicit.privateOutput !== null || project?.result === true,
  };
}

function planTrace({ runRef, artifactClass, explicit, project }: DestinationRequest): PlannedFile | null {
  const directory = explicit.traceDirectory ?? (project?.trace === true ? ({ child: 'traces' } as const) : null);
  if (directory === null) return null;
  if (artifactClass === 'private') return { directory, name: `${runRef}.private.jsonl`, ...derived(runRef) };
  return { directory, trust: 'named', name: `${runRef}.jsonl`, ...derived(runRef) };
}

function planInspection({ runRef, explicit, project }: DestinationRequest): Outcome<PlannedFile | null> {
  const partial = partialName(runRef);
  if (explicit.inspection !== null) {
    const { directory, name } = splitPath(explicit.inspection);
    if (!name.endsWith('.svcins') || name === '.svcins' || isTooLong(name))
      return failure(refused('invalid_inspection_destination', 'invalid_configuration'));
    return success({ directory, name, mode: 0o600, recovery: null, nameIsUnique: false, partial });
  }
  return success(
    project?.inspection === true
      ? { directory: { child: 'inspection' } as const, name: `${runRef}.svcins`, ...derived(runRef), partial }
      : null,
  );
}

function planResult({ runRef, artifactClass, explicit, project }: DestinationRequest): Outcome<PlannedFile | null> {
  const recovery = recoveryName(runRef);
  if (explicit.privateOutput !== null) {
    return namedResult(explicit.privateOutput, { mode: 0o600, recovery, nameIsUnique: false });
  }
  if (explicit.output !== null) {
    if (artifactClass === 'private') return failure(refused('private_destination_required', 'invalid_configuration'));
    return namedResult(explicit.output, { trust: 'named', mode: 0o644, recovery: null, nameIsUnique: false });
  }
  if (project?.result === true) {
    const directory = { child: 'results' } as const;
    return success(
      artifactClass === 'private'
        ? { directory, name: `${runRef}.private.json`, ...derived(runRef), recovery }
        : { directory, name: `${runRef}.json`, ...derived(runRef), mode: 0o644 },
    );
  }
  return artifactClass === 'private'
    ? failure(refused('private_destination_required', 'invalid_configuration'))
    : success(null);
}

function namedResult(
  path: string,
  manner: Pick<ReservationRequest, 'trust' | 'mode' | 'recovery' | 'nameIsUnique'>,
): Outcome<PlannedFile> {
  const { directory, name } = splitPath(path);
  if (name === '' || name === '.' || name === '..' || isTooLong(name))
    return failure(refused('invalid_result_destination', 'invalid_configuration'));
  return success({ directory, name, ...manner });
}

/** Bytes of a file name at most, on every file system that a run can publish to. */
const MAX_NAME_BYTES = 255;

/** No file can have that name: its form is at fault, whatever the directory (runtime.md §13). */
function isTooLong(name: string): boolean {
  return Buffer.byteLength(name) > MAX_NAME_BYTES;
}

function derived(runRef: string): Pick<ReservationRequest, 'mode' | 'recovery' | 'nameIsUnique'> {
  return { mode: 0o600, recovery: null, nameIsUnique: !NO_ENTROPY.test(runRef) };
}

type FaultKind = ReservationFault['kind'];

/** runtime.md §13 "destination", also for destinations of the wrong kind. */
const CODES: Readonly<Record<ArtifactName, Readonly<Record<FaultKind, DiagnosticCode>>>> = {
  trace: {
    missing: 'trace_directory_missing',
    not_directory: 'invalid_trace_destination',
    unsafe: 'trace_destination_unsafe',
    unusable: 'trace_destination_unavailable',
    exists: 'destination_exists',
    reserved: 'trace_destination_unavailable',
    not_reservable: 'trace_destination_unavailable',
    recovery_not_reservable: 'recovery_reservation_failed',
  },
  inspection: {
    missing: 'inspection_directory_missing',
    not_directory: 'inspection_directory_missing',
    unsafe: 'inspection_destination_unsafe',
    unusable: 'inspection_destination_unavailable',
    exists: 'destination_exists',
    reserved: 'inspection_destination_unavailable',
    not_reservable: 'inspection_destination_unavailable',
    recovery_not_reservable: 'recovery_reservation_failed',
  },
  result: {
    missing: 'result_directory_missing',
    not_directory: 'result_directory_missing',
    unsafe: 'result_destination_unsafe',
    unusable: 'result_destination_unavailable',
    exists: 'destination_exists',
    reserved: 'result_destination_unavailable',
    not_reservable: 'result_destination_unavailable',
    recovery_not_reservable: 'recovery_reservation_failed',
  },
};

export function reservationDiagnostic(artifact: ArtifactName, fault: ReservationFault): Diagnostic {
  return refused(CODES[artifact][fault.kind], causeOf(fault));
}

const PERMISSION_ERRNOS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** runtime.md §13, `cause`. */
function causeOf(fault: ReservationFault): Cause {
  switch (fault.kind) {
    case 'exists':
      return 'destination_exists';
    case 'reserved':
      return 'resource_unavailable';
    case 'unsafe':
      return 'permission';
    case 'not_directory':
      return 'invalid_configuration';
    case 'missing':
    case 'unusable':
    case 'not_reservable':
    case 'recovery_not_reservable':
      return fault.errno !== null && PERMISSION_ERRNOS.has(fault.errno) ? 'permission' : 'filesystem_error';
  }
}

function refused(code: DiagnosticCode, cause: Cause): Diagnostic {
  return diagnostic(code, { cause });
}
