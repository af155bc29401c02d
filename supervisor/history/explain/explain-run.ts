import { dirname } from 'node:path';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Refused } from '../../../contract/outcome.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadTarget } from '../../documents/project/load.ts';
import { nodeEvidenceFiles } from '../analysis/files/evidence-files.ts';
import { explain, type ExplainedProject, type Explanation, type ExplainFault } from './explain.ts';

/** What `svc explain` is asked. */
export interface ExplainOptions {
  /** A run of the project, or the path of an envelope, relative to the working directory. */
  readonly subject: string;
  /** A project document; null: the one of the usual name in the working directory, if it is one. */
  readonly project: string | null;
  /** A folder of runs that are of no project, where there is none; null: there is none either. */
  readonly own: string | null;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  /** Whether private evidence may be read and reported. */
  readonly showsPrivate: boolean;
}

/** What is known of a run, or why nothing is. */
export type ExplainOutcome = { readonly ok: true; readonly explanation: Explanation } | Refused;

const USUAL_PROJECT = 'svc-project.json';

/**
 * Says how a run came to its end, from what it left; from what is private of that only where it was asked for. Contacts
 * nothing and runs nothing.
 */
export async function explainRun({
  subject,
  project,
  own,
  workingDirectory,
  documents,
  showsPrivate,
}: ExplainOptions): Promise<ExplainOutcome> {
  const reader = createDocumentReader(documents, workingDirectory);
  const target = await loadTarget(reader, project ?? USUAL_PROJECT);
  if (!target.ok && project !== null) return { ok: false, diagnostic: target.diagnostic, hint: null };
  const isProject = target.ok && target.value.kind === 'project';
  if (!isProject && project !== null)
    return { ok: false, diagnostic: diagnostic('project_schema_invalid'), hint: '--project takes a project document' };
  const end = await explain(
    { reader, files: nodeEvidenceFiles, showsPrivate },
    subject,
    (target.ok ? projectOf(target.value) : null) ??
      (own === null ? null : { artifactRoot: own, application: workingDirectory }),
  );
  return end.ok ? end : { ok: false, diagnostic: diagnostic(EXPLAIN_CODES[end.fault]), hint: EXPLAIN_HINTS[end.fault] };
}

function projectOf(target: Parameters<typeof projectArtifacts>[0]): ExplainedProject | null {
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  return {
    artifactRoot: projectArtifacts(target)?.root ?? null,
    application: dirname(`${directory === '/' ? '' : directory}/${document.application.path}`),
  };
}

const EXPLAIN_CODES = {
  run_not_found: 'reference_missing',
  envelope_unreadable: 'reference_missing',
  envelope_too_large: 'invalid_arguments',
  no_json: 'invalid_arguments',
  no_run_envelope: 'invalid_arguments',
} as const satisfies Readonly<Record<ExplainFault, string>>;

const EXPLAIN_HINTS: Readonly<Record<ExplainFault, string>> = {
  run_not_found:
    'the project has no envelope of that run: artifacts.envelope keeps them, and --project names another project than svc-project.json here',
  envelope_unreadable:
    'there is no such file, or you may not read it; name a run as svc runs lists it, or the path of an envelope',
  envelope_too_large: 'an envelope has at most 8000000 bytes',
  no_json: 'the file is not JSON; svc run --envelope envelope.json writes one',
  no_run_envelope: 'the file is not an envelope written by svc run',
};
