import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Refused, Success } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../document-reader.ts';
import { MAX_BYTES } from '../sizes.ts';
import { loadTarget, type Target } from './load.ts';

/** Why a name is no project: nothing is there, nothing that can be read, an application, or a project with a fault. */
export type ProjectRefusal = 'missing' | 'unreadable' | 'application' | 'faulty';

export type ProjectLoading =
  | Success<Extract<Target, { kind: 'project' }>>
  | { readonly ok: false; readonly reason: ProjectRefusal; readonly diagnostic: Diagnostic };

/** How a command ends that works on a project: `reason` where the name of the project is no project. */
export interface RefusedOnProject extends Refused {
  readonly reason?: ProjectRefusal;
}

/** Loads the document of a command that works on projects alone. */
export async function loadProject(reader: DocumentReader, path: string): Promise<ProjectLoading> {
  const read = await reader.readNamed(path, MAX_BYTES.manifest);
  if (!read.ok) {
    const isMissing = read.fault === 'missing';
    return {
      ok: false,
      reason: isMissing ? 'missing' : 'unreadable',
      diagnostic: diagnostic(isMissing ? 'application_not_found' : 'application_unavailable'),
    };
  }
  const target = await loadTarget(reader, path);
  if (!target.ok) return { ok: false, reason: 'faulty', diagnostic: target.diagnostic };
  if (target.value.kind === 'application')
    return { ok: false, reason: 'application', diagnostic: diagnostic('invalid_arguments') };
  return { ok: true, value: target.value };
}
