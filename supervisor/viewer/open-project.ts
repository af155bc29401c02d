import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { projectArtifacts, type ProjectArtifacts } from '../documents/project/artifacts.ts';
import type { ProjectDocument } from '../documents/project/fields.ts';
import { loadProject, type ProjectRefusal } from '../documents/project/load-project.ts';
import { labelFingerprint } from '../evidence/fingerprint.ts';
import type { AnalysisFault } from '../history/analysis/answer.ts';
import { nodeEvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import { runIndexStorage } from '../history/analysis/run-index/storage.ts';
import { pinEvidence, type PinnedEvidence } from './evidence.ts';
import { loadPage, type Page } from './page.ts';
import { readApplicationName, type ShownProject } from './project-facts.ts';
import type { SessionMachine } from './repl/page-session.ts';
import { LEAST_TOKEN_BYTES } from './secrets.ts';

/** Whose runs are shown, and what is asked for them by those who are allowed to see them. */
export interface ProjectRequest {
  /** A project document; relative to the working directory. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** `SVC_VIEWER_TOKEN`; null without. */
  readonly token: string | null;
}

/** Why a viewer did not start; `port_in_use` says which project the viewer there shows, if it is one. */
export type ViewerRefusal =
  | {
      readonly kind: 'document';
      readonly diagnostic: Diagnostic;
      readonly reason: Exclude<ProjectRefusal, 'application'>;
    }
  | { readonly kind: 'no_trace' | 'no_page' | 'weak_token' | 'unavailable' }
  | { readonly kind: 'evidence'; readonly fault: AnalysisFault }
  | { readonly kind: 'port_in_use'; readonly port: number };

/** A project that can be shown, and what of it is captured. */
export interface OpenProject {
  readonly project: ShownProject;
  readonly viewer: ProjectDocument['viewer'];
  readonly artifacts: ProjectArtifacts;
  readonly page: Page;
  /** Closed by who opened it. */
  readonly evidence: PinnedEvidence;
}

export interface RefusedViewer {
  readonly ok: false;
  readonly refusal: ViewerRefusal;
}

export function refuseViewer(refusal: ViewerRefusal): RefusedViewer {
  return { ok: false, refusal };
}

/** Reads a project and captures its evidence; the page is that of `pageFolder`, which is absolute. */
export async function openProject(
  { document, workingDirectory, token }: ProjectRequest,
  { documents, libraries, variables }: Pick<SessionMachine, 'documents' | 'libraries' | 'variables'>,
  pageFolder: string,
): Promise<{ readonly ok: true; readonly value: OpenProject } | RefusedViewer> {
  const reader = createDocumentReader(documents, workingDirectory);
  const target = await loadProject(reader, document);
  if (!target.ok)
    return refuseViewer(
      target.reason === 'application'
        ? { kind: 'no_trace' }
        : { kind: 'document', diagnostic: target.diagnostic, reason: target.reason },
    );
  const artifacts = projectArtifacts(target.value);
  if (artifacts?.trace !== true) return refuseViewer({ kind: 'no_trace' });
  if (token !== null && Buffer.byteLength(token) < LEAST_TOKEN_BYTES) return refuseViewer({ kind: 'weak_token' });
  const page = await loadPage(pageFolder);
  if (page === null) return refuseViewer({ kind: 'no_page' });
  const { viewer } = target.value.project.document;
  const showsPrivate = viewer.private;
  const { root, inspection } = artifacts;
  const name = await readApplicationName(reader, target.value);
  const label = name === null ? null : { name, fingerprint: labelFingerprint(name) };
  const evidence = await pinEvidence({
    files: nodeEvidenceFiles,
    root,
    showsPrivate,
    recordsInspection: inspection,
    storage: await runIndexStorage({ variables, root, showsPrivate }),
    application: label,
    now: () => performance.now(),
  });
  if (!evidence.ok) return refuseViewer({ kind: 'evidence', fault: evidence.fault });
  const project = { document, target: target.value, reader, workingDirectory, libraries, showsPrivate, label };
  return { ok: true, value: { project, viewer, artifacts, page, evidence: evidence.value } };
}
