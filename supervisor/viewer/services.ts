import type { IncomingMessage } from 'node:http';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { members, findText } from '../history/analysis/members.ts';
import { FORBIDDEN, NO_ROUTE, renderJson, refuseViewerRequest, type HttpAnswer } from './answers.ts';
import { decideApproval, serveApprovals, type ViewerApprovals } from './approval-routes.ts';
import type { EvidencePlaces, PinnedEvidence } from './evidence.ts';
import { FRAME_BYTES, frameOf } from './live/frame.ts';
import { LAUNCH_BYTES, wishOf, type Launcher } from './live/launch.ts';
import type { LiveStore } from './live/store.ts';
import type { Page, PageConfiguration } from './page.ts';
import { serveConversation, servePrivateItems, serveResult } from './private-routes.ts';
import type { Repl } from './repl/repl.ts';
import { serveReport, serveReports, type ReportEvidence } from './report-routes.ts';
import { NO_REPL, bootstrap, change } from './repl/repl-routes.ts';
import { readRequestBody } from './request-body.ts';
import type { Wanted } from './routes.ts';
import { serveActivityPage, serveCounters, serveRun, refresh, serveRunsPage, serveSpans } from './trace-routes.ts';

/** The services behind the routes. */
export interface Services {
  readonly live: LiveStore;
  answer(
    wanted: Exclude<Wanted, { readonly route: 'live stream' }>,
    request: IncomingMessage,
    options: URLSearchParams,
  ): Promise<HttpAnswer>;
}

export interface ServiceParts {
  readonly evidence: PinnedEvidence;
  readonly gate: Pick<EvidencePlaces, 'showsPrivate' | 'recordsInspection'>;
  readonly reports: ReportEvidence;
  readonly approvals: ViewerApprovals;
  readonly live: LiveStore;
  /** Null without `viewer.repl`. */
  readonly repl: Repl | null;
  readonly page: Page;
  readonly configuration: PageConfiguration;
  readonly launches: Launcher;
  /** Facts of the project, for its page and for anyone who finds the port taken. */
  readonly project: () => Promise<JsonObject>;
}

/** One answer for each route but the stream. */
export function viewerServices({
  evidence,
  gate,
  reports,
  approvals,
  live,
  repl,
  launches,
  page,
  configuration,
  project,
}: ServiceParts): Services {
  return {
    live,
    answer: async (wanted, request, options) => {
      switch (wanted.route) {
        case 'runs':
          return serveRunsPage(evidence, options);
        case 'run':
          return serveRun(evidence, wanted.runId);
        case 'activity':
          return serveActivityPage(evidence, wanted.runId, options);
        case 'spans':
          return serveSpans(evidence, wanted.runId);
        case 'counters':
          return serveCounters(evidence, options);
        case 'reports':
          return serveReports(reports);
        case 'report':
          return serveReport(reports, wanted.reference);
        case 'approvals':
          return serveApprovals(approvals);
        case 'approval decision':
          return decideApproval(approvals, wanted.approvalId, request);
        case 'refresh':
          return refresh(evidence);
        case 'conversation':
          return serveConversation(evidence, gate, { runId: wanted.runId, cursor: options.get('cursor') });
        case 'result':
          return serveResult(evidence, gate, wanted.runId);
        case 'private items':
          return servePrivateItems(evidence, gate, {
            runId: wanted.runId,
            collection: wanted.collection,
            cursor: options.get('cursor'),
          });
        case 'repl':
          return repl === null ? NO_REPL : bootstrap(repl, evidence);
        case 'repl operation':
          return repl === null ? NO_REPL : change(repl, evidence, request, wanted.operation);
        case 'live runs':
          return renderJson(200, members({ runs: [...live.frames()] }));
        case 'live run':
          return request.method === 'DELETE' ? forgetRun(live, wanted.runId) : take(live, wanted.runId, request);
        case 'live inspect':
          return inspect(evidence, wanted.runId);
        case 'live project':
          return renderJson(200, await project());
        case 'live launch':
          return request.method === 'GET'
            ? launchState(launches, await project())
            : launch(launches, request, await project());
        case 'live stop':
          return launches.stop()
            ? renderJson(202, launches.state())
            : refuseViewerRequest(409, 'no_launch', 'nothing that was started from the page is running');
        case 'asset':
          return page.asset(wanted.path) ?? NO_ROUTE;
        case 'entry':
          return page.entry(configuration);
        // The server itself answers it.
        case 'live stream':
          return FORBIDDEN;
      }
    },
  };
}

function launchState(launches: Launcher, project: JsonObject): HttpAnswer {
  const { enabled, manifest, input } = Object.fromEntries(project);
  return renderJson(
    200,
    members({ enabled, manifest, label: project.get('project'), input, launch: launches.state() }),
  );
}

/** Starts what the body wishes; only the application of this viewer can be. */
async function launch(launches: Launcher, request: IncomingMessage, project: JsonObject): Promise<HttpAnswer> {
  const bytes = await readRequestBody(request, LAUNCH_BYTES);
  if (bytes === null)
    return {
      ...refuseViewerRequest(413, 'body_too_large', `a launch has at most ${LAUNCH_BYTES} bytes`),
      headers: { connection: 'close' },
    };
  if (project.get('enabled') !== true)
    return refuseViewerRequest(
      503,
      'live_disabled',
      'the documents of this project cannot be run as they are: svc validate says why',
    );
  const parsed = parseJson(bytes, documentLimits(LAUNCH_BYTES));
  const wish = wishOf(parsed.ok ? valueOf(parsed.root) : undefined, missionsOf(project));
  if (wish === null)
    return refuseViewerRequest(
      400,
      'invalid_launch',
      'a launch has an input, which is an object, or a mission of the project and an expression',
    );
  return launches.start(wish)
    ? renderJson(202, launches.state())
    : refuseViewerRequest(409, 'launch_running', 'one run at a time is started from the page');
}

function missionsOf(project: JsonObject): readonly string[] {
  const environments = project.get('environments');
  if (!Array.isArray(environments)) return [];
  return environments.flatMap((environment) =>
    isJsonObject(environment) && findText(environment, 'kind') === 'mission'
      ? [findText(environment, 'name') ?? '']
      : [],
  );
}

function forgetRun(live: LiveStore, runId: string): HttpAnswer {
  return live.remove(runId)
    ? renderJson(200, members({ status: 'ok' }))
    : refuseViewerRequest(404, 'unknown_run', 'no run of this id reported itself');
}

async function take(live: LiveStore, runId: string, request: IncomingMessage): Promise<HttpAnswer> {
  const bytes = await readRequestBody(request, FRAME_BYTES);
  if (bytes === null)
    return {
      ...refuseViewerRequest(413, 'body_too_large', `a frame has at most ${FRAME_BYTES} bytes`),
      headers: { connection: 'close' },
    };
  const frame = frameOf(bytes);
  if (frame === null || runId.length > 256 || canonicalJson(frame).length > FRAME_BYTES)
    return refuseViewerRequest(400, 'invalid_frame', 'the body is no frame of a run');
  live.take(runId, frame);
  return renderJson(200, members({ status: 'ok' }));
}

/** Makes a run that has ended readable: a new capture, which must hold it. */
async function inspect(evidence: PinnedEvidence, runId: string): Promise<HttpAnswer> {
  const refreshed = await evidence.refresh();
  if (!refreshed.ok) {
    return refreshed.fault === 'source_unavailable'
      ? refuseViewerRequest(503, 'refresh_unavailable', 'the evidence cannot be read now')
      : refuseViewerRequest(500, 'refresh_failed', 'the evidence could not be captured again');
  }
  const opened = await evidence.analysis.open(members({ run_id: runId }));
  return opened.ok
    ? renderJson(200, members({ status: 'ok' }))
    : refuseViewerRequest(404, 'run_not_found', 'no trace of this run is among the evidence of this project');
}
