import { basename, join } from 'node:path';
import { parseJson, documentLimits } from '../../contract/json/parse.ts';
import { valueOf } from '../../contract/json/node.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Variables } from '../../system/configuration/configuration.ts';
import type { AnalysisFault } from '../history/analysis/answer.ts';
import { nodeEvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import { members, objectOf, findText } from '../history/analysis/members.ts';
import { loadApplicationDocuments, type ApplicationDocuments } from '../documents/application.ts';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import { createDocumentReader, type DocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadProject, type ProjectRefusal } from '../documents/project/load-project.ts';
import type { Target } from '../documents/project/load.ts';
import { MAX_BYTES } from '../documents/sizes.ts';
import { labelFingerprint } from '../evidence/fingerprint.ts';
import { pinEvidence } from '../viewer/evidence.ts';
import { launcher, type StartProgram } from '../viewer/live/launch.ts';
import { applicationFacts } from '../viewer/live/project.ts';
import { liveStore } from '../viewer/live/store.ts';
import { loadPage } from '../viewer/page.ts';
import { LEAST_TOKEN_BYTES, keepSecret, randomSecret } from '../viewer/secrets.ts';
import { serveViewer } from '../viewer/server.ts';
import { viewerServices } from '../viewer/services.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { projectArtifacts } from '../documents/project/artifacts.ts';
import { loadNamedHost } from '../documents/project/named.ts';
import { runIndexStorage } from '../history/analysis/run-index/storage.ts';
import { viewerApprovals } from './approvals.ts';
import { viewerSession } from './viewer-session.ts';

export type { StartProgram } from '../viewer/live/launch.ts';

/** What `svc viewer` is asked (cli.md §10). */
export interface ViewerOptions {
  /** A project document; relative to the working directory. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Absolute; holds the built page. */
  readonly programDirectory: string;
  readonly documents: FileSystem;
  readonly libraries: LibraryRegistry;
  /** Of the environment: what a sandbox is configured by. */
  readonly variables: Variables;
  /** Starts this program once more, for a run from the page; `viewer`: what it reports to. */
  readonly startProgram: (viewer: { readonly url: string; readonly token: string | null }) => StartProgram;
  readonly address: '127.0.0.1' | '0.0.0.0';
  /** Null: the project's. */
  readonly port: number | null;
  /** `SVC_VIEWER_TOKEN`; null without. */
  readonly token: string | null;
  /** Called with exceptions behind a request. */
  readonly reportBug: (error: unknown) => void;
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

/** A viewer that listens. */
export interface RunningViewer {
  readonly ok: true;
  readonly port: number;
  /** For the first page of a browser; holds a token only where one was made for this process. */
  readonly url: string;
  /** Whether private evidence may be shown. */
  readonly showsPrivate: boolean;
  /** `viewer.open`. */
  readonly opensBrowser: boolean;
  close(): Promise<void>;
}

/** Captures the evidence of a project and serves the page on it until it is closed. */
export async function startViewer(
  options: ViewerOptions,
): Promise<RunningViewer | { readonly ok: false; readonly refusal: ViewerRefusal }> {
  const refused = (refusal: ViewerRefusal) => ({ ok: false, refusal }) as const;
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadProject(reader, options.document);
  if (!target.ok)
    return refused(
      target.reason === 'application'
        ? { kind: 'no_trace' }
        : { kind: 'document', diagnostic: target.diagnostic, reason: target.reason },
    );
  const artifacts = projectArtifacts(target.value);
  if (artifacts?.trace !== true) return refused({ kind: 'no_trace' });
  const { token } = options;
  if (token !== null && Buffer.byteLength(token) < LEAST_TOKEN_BYTES) return refused({ kind: 'weak_token' });
  const page = await loadPage(join(options.programDirectory, PROGRAM_FILES.viewer, '..'));
  if (page === null) return refused({ kind: 'no_page' });
  const { viewer } = target.value.project.document;
  const gate = { showsPrivate: viewer.private, recordsInspection: artifacts.inspection };
  const name = await readApplicationName(reader, target.value);
  const label = name === null ? null : { name, fingerprint: labelFingerprint(name) };
  const storage = await runIndexStorage({
    variables: options.variables,
    root: artifacts.root,
    showsPrivate: viewer.private,
  });
  const evidence = await pinEvidence({
    files: nodeEvidenceFiles,
    root: artifacts.root,
    ...gate,
    storage,
    application: label,
    now: () => performance.now(),
  });
  if (!evidence.ok) return refused({ kind: 'evidence', fault: evidence.fault });
  const isExposed = options.address === '0.0.0.0';
  const madeToken = token === null && isExposed ? randomSecret() : null;
  const secret = token ?? madeToken;
  const nonces = { pageNonce: randomSecret(), replNonce: randomSecret(), liveNonce: randomSecret() };
  const bound = { port: 0 };
  const launches = launcher(options.document, (...started) =>
    options.startProgram({ url: `http://127.0.0.1:${bound.port}`, token: secret })(...started),
  );
  const { workingDirectory, programDirectory, variables, reportBug } = options;
  const repl = viewer.repl
    ? viewerSession({
        workingDirectory,
        programDirectory,
        variables,
        artifactRoot: artifacts.root,
        mutationNonce: nonces.replNonce,
        reportBug,
      })
    : null;
  const services = viewerServices({
    evidence: evidence.value,
    gate,
    reports: { files: nodeEvidenceFiles, root: artifacts.root, showsPrivate: viewer.private },
    approvals: viewerApprovals(artifacts.root, {
      showsPrivate: viewer.private,
      decides: viewer.private && viewer.approvals === true,
    }),
    live: liveStore(() => new Date()),
    repl,
    page,
    configuration: {
      repl_enabled: viewer.repl,
      ...(viewer.repl ? { page_bootstrap_nonce: nonces.pageNonce } : {}),
      live_enabled: true,
      approvals_enabled: viewer.private && viewer.approvals === true,
      live_mutation_nonce: nonces.liveNonce,
      ...(label === null ? {} : { application: label }),
    },
    launches,
    project: async () => {
      const application = await loadDocuments(options, reader, target.value);
      const facts = members({
        enabled: application.ok,
        project: basename(options.document),
        name: name ?? null,
        name_fingerprint: label?.fingerprint ?? null,
      });
      if (!application.ok) return new Map([...facts, ...members({ fault: application.diagnostic.code })]);
      const showsInput = viewer.private || application.value.manifest.events.policy === 'normal';
      return new Map([
        ...facts,
        ...applicationFacts(application.value, { manifestName: manifestName(target.value), showsInput }),
      ]);
    },
  });
  const listening = await serveViewer({
    address: options.address,
    port: options.port ?? viewer.port,
    admission: {
      isExposed,
      token: secret === null ? null : keepSecret(secret),
      pageNonce: keepSecret(nonces.pageNonce),
      replNonce: keepSecret(nonces.replNonce),
      liveNonce: keepSecret(nonces.liveNonce),
    },
    services,
    reportBug,
  });
  if (!listening.ok) {
    await evidence.value.close();
    return refused(
      listening.reason === 'port_in_use'
        ? { kind: 'port_in_use', port: options.port ?? viewer.port }
        : { kind: 'unavailable' },
    );
  }
  bound.port = listening.port;
  return {
    ok: true,
    port: listening.port,
    url: `http://${options.address}:${listening.port}/${madeToken === null ? '' : `?live_token=${madeToken}`}`,
    showsPrivate: viewer.private,
    opensBrowser: viewer.open,
    close: async () => {
      await launches.close();
      await listening.close();
      await repl?.close();
      await evidence.value.close();
    },
  };
}

/** The documents of the application as they are now: what is on the page may be older. */
async function loadDocuments(
  { workingDirectory, libraries }: ViewerOptions,
  reader: DocumentReader,
  target: Target,
): Promise<Outcome<ApplicationDocuments>> {
  const host = await loadNamedHost({ hostConfig: null, workingDirectory }, reader, target);
  if (!host.ok) return host;
  return loadApplicationDocuments({
    reader,
    workingDirectory,
    manifest: target.manifest,
    host: host.value,
    libraries,
    input: null,
    override: null,
    identityFixed: true,
    now: () => performance.now(),
  });
}

function manifestName({ manifest }: Target): string {
  return manifest.kind === 'named' ? basename(manifest.path) : manifest.reference;
}

/** The clear name that the manifest gives; null without one, or without a manifest that can be read. */
async function readApplicationName(reader: DocumentReader, target: Target): Promise<string | null> {
  const { manifest } = target;
  const read = await (manifest.kind === 'named'
    ? reader.readNamed(manifest.path, MAX_BYTES.manifest)
    : reader.readReference(manifest.directory, manifest.reference, MAX_BYTES.manifest));
  if (!read.ok) return null;
  const parsed = parseJson(read.file.bytes, documentLimits(MAX_BYTES.manifest));
  const root = parsed.ok ? valueOf(parsed.root) : undefined;
  return isJsonObject(root) ? (findText(objectOf(root, 'labels'), 'name') ?? null) : null;
}
