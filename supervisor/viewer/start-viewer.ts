import { nodeEvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import type { ViewerApprovals } from './approval-routes.ts';
import { launcher, type StartProgram } from './live/launch.ts';
import { liveStore } from './live/store.ts';
import {
  openProject,
  refuseViewer,
  type OpenProject,
  type ProjectRequest,
  type RefusedViewer,
} from './open-project.ts';
import { readProjectFacts } from './project-facts.ts';
import { openingOver, type SessionMachine } from './repl/page-session.ts';
import { newRepl, type Repl } from './repl/repl.ts';
import { keepSecret, randomSecret } from './secrets.ts';
import { serveViewer } from './server.ts';
import { viewerServices, type ServiceParts } from './services.ts';

/** What `svc viewer` is asked (cli.md §10). */
export interface ViewerRequest extends ProjectRequest {
  /** Starts this program once more, for a run from the page; `viewer`: what it reports to. */
  readonly startProgram: (viewer: { readonly url: string; readonly token: string | null }) => StartProgram;
  readonly address: '127.0.0.1' | '0.0.0.0';
  /** Null: the project's. */
  readonly port: number | null;
  /** Called with exceptions behind a request. */
  readonly reportBug: (error: unknown) => void;
}

/** What a viewer takes of this machine, and of other rooms. */
export interface ViewerMachine extends Omit<SessionMachine, 'workingDirectory'> {
  /** Absolute; holds the built page. */
  readonly pageFolder: string;
  /** The questions that are kept below an artifact root. */
  readonly approvalsIn: (root: string) => Pick<ViewerApprovals, 'open' | 'find' | 'decide'>;
  /** Ends the sandbox, where a session of the page started it. */
  readonly closeSandbox: () => Promise<void>;
}

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

/** Of this process: each change must carry that of its page. */
interface Nonces {
  readonly page: string;
  readonly repl: string;
  readonly live: string;
}

/** Captures the evidence of a project and serves the page on it until it is closed. */
export async function serveProjectPage(
  request: ViewerRequest,
  machine: ViewerMachine,
): Promise<RunningViewer | RefusedViewer> {
  const opened = await openProject(request, machine, machine.pageFolder);
  if (!opened.ok) return opened;
  const { evidence, viewer } = opened.value;
  const isExposed = request.address === '0.0.0.0';
  const madeToken = request.token === null && isExposed ? randomSecret() : null;
  const secret = request.token ?? madeToken;
  const nonces = { page: randomSecret(), repl: randomSecret(), live: randomSecret() };
  const bound = { port: 0 };
  const launches = launcher(request.document, (...started) =>
    request.startProgram({ url: `http://127.0.0.1:${bound.port}`, token: secret })(...started),
  );
  const repl = viewer.repl ? replOf(opened.value, request, machine, nonces.repl) : null;
  const port = request.port ?? viewer.port;
  const listening = await serveViewer({
    address: request.address,
    port,
    admission: {
      isExposed,
      token: secret === null ? null : keepSecret(secret),
      pageNonce: keepSecret(nonces.page),
      replNonce: keepSecret(nonces.repl),
      liveNonce: keepSecret(nonces.live),
    },
    services: viewerServices({ ...partsOf(opened.value, machine, nonces), launches, repl }),
    reportBug: request.reportBug,
  });
  if (!listening.ok) {
    await evidence.close();
    return refuseViewer(listening.reason === 'port_in_use' ? { kind: 'port_in_use', port } : { kind: 'unavailable' });
  }
  bound.port = listening.port;
  return {
    ok: true,
    port: listening.port,
    url: `http://${request.address}:${listening.port}/${madeToken === null ? '' : `?live_token=${madeToken}`}`,
    showsPrivate: viewer.private,
    opensBrowser: viewer.open,
    close: async () => {
      await launches.close();
      await listening.close();
      await repl?.close();
      await machine.closeSandbox();
      await evidence.close();
    },
  };
}

/** What is behind the routes, but for what lives. */
function partsOf(
  { project, viewer, artifacts, page, evidence }: OpenProject,
  { approvalsIn }: ViewerMachine,
  nonces: Nonces,
): Omit<ServiceParts, 'launches' | 'repl'> {
  const { root, inspection } = artifacts;
  const { showsPrivate, label } = project;
  const decides = showsPrivate && viewer.approvals === true;
  return {
    evidence,
    gate: { showsPrivate, recordsInspection: inspection },
    reports: { files: nodeEvidenceFiles, root, showsPrivate },
    approvals: { ...approvalsIn(root), showsPrivate, decides },
    live: liveStore(() => new Date()),
    page,
    configuration: {
      repl_enabled: viewer.repl,
      ...(viewer.repl ? { page_bootstrap_nonce: nonces.page } : {}),
      live_enabled: true,
      approvals_enabled: decides,
      live_mutation_nonce: nonces.live,
      ...(label === null ? {} : { application: label }),
    },
    project: async () => readProjectFacts(project),
  };
}

/** The session of the page over the public traces of the project. */
function replOf(
  { artifacts }: OpenProject,
  { workingDirectory, reportBug }: ViewerRequest,
  machine: ViewerMachine,
  mutationNonce: string,
): Repl {
  const open = openingOver(artifacts.root, { ...machine, workingDirectory });
  return newRepl({ open, mutationNonce, now: () => performance.now(), reportBug });
}
