import type { IncomingMessage } from 'node:http';
import { members } from '../../history/analysis/members.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { SessionCode, SetupRefusal } from '../../session/profiles/refusal.ts';
import { renderJson, refuseViewerRequest, type HttpAnswer } from '../answers.ts';
import type { PinnedEvidence } from '../evidence.ts';
import type { Done, ReplFault } from './operations.ts';
import type { Repl } from './repl.ts';
import { readRequest, type ReplOperation, type ReplRequest } from './requests.ts';
import { templateOf } from './template.ts';

export const NO_REPL = refuseViewerRequest(
  404,
  'repl_not_configured',
  'this viewer has no session: set viewer.repl in the project and start the viewer again, or use svc repl',
);

/** Where the session of a page asks for evidence that it has not captured itself. */
type Runs = Pick<PinnedEvidence, 'analysis' | 'counts'>;

/** What there is to go on with; changes nothing and opens nothing (evidence.md §11). */
export function bootstrap(repl: Repl, runs: Runs): HttpAnswer {
  return answerOf(repl, members({ runs: members(runs.counts()) }));
}

/** Carries out one change; it is given up when the caller is gone. */
export async function change(
  repl: Repl,
  runs: Runs,
  request: IncomingMessage,
  operation: ReplOperation,
): Promise<HttpAnswer> {
  const read = await readRequest(request, operation, repl.sessionId());
  if (!read.ok) return read.answer;
  const left = new AbortController();
  const leave = (): void => {
    left.abort();
  };
  request.socket.once('close', leave);
  try {
    const done = await carryOut(repl, runs, read.request, left.signal);
    return isRefused(done) ? done.refused : done.ok ? answerOf(repl, done.answer) : faultAnswer(done);
  } finally {
    request.socket.off('close', leave);
  }
}

interface Refused {
  readonly refused: HttpAnswer;
}

async function carryOut(repl: Repl, runs: Runs, request: ReplRequest, left: AbortSignal): Promise<Done | Refused> {
  switch (request.operation) {
    case 'evaluations':
      return repl.evaluate(request.source, left);
    case 'names':
      return repl.names(left);
    case 'reset':
      return repl.reset(left);
    case 'end':
      return repl.end();
    case 'templates':
      return serveTemplate(repl, runs, request);
  }
}

const UNKNOWN_RUN = refuseViewerRequest(
  400,
  'invalid_request',
  'no captured run has this id; refresh the list of runs',
);
const PRIVATE_RUN = refuseViewerRequest(
  422,
  'unsupported_trace',
  'this run is private, and the session of the page reads public traces alone: use svc repl --profile private-run-analysis-v2',
);
const CHANGED = refuseViewerRequest(
  409,
  'trace_changed',
  'the session was opened before this run was captured: start it again, which captures what there is now',
);

/** A form over a run of the list, which the session must have captured too. */
async function serveTemplate(
  repl: Repl,
  { analysis }: Runs,
  { kind, runId }: Extract<ReplRequest, { readonly operation: 'templates' }>,
): Promise<Done | Refused> {
  const opened = await analysis.open(members({ run_id: runId }));
  if (!opened.ok) return { refused: UNKNOWN_RUN };
  const run = opened.value.get('run');
  if (run instanceof Map && run.get('source') === 'private') return { refused: PRIVATE_RUN };
  let isCaptured = true;
  const done = await repl.template(async (hasRun) => {
    isCaptured = await hasRun(runId);
    return { ok: true, answer: members({ template: members({ source: templateOf(kind, runId) }) }) };
  });
  return isCaptured ? done : { refused: CHANGED };
}

function isRefused(done: Done | Refused): done is Refused {
  return 'refused' in done;
}

function answerOf(repl: Repl, answer: JsonObject): HttpAnswer {
  return {
    ...renderJson(200, new Map([...repl.state(), ...answer])),
    headers: { 'x-svc-viewer-session': repl.sessionId() },
  };
}

const FAULTS: Readonly<Record<Exclude<ReplFault['fault'], 'not_opened'>, HttpAnswer>> = {
  operation_active: refuseViewerRequest(409, 'operation_active', 'another form is being evaluated; wait for it'),
  session_closed: refuseViewerRequest(409, 'session_closed', 'this session has ended; start it again'),
  session_terminal: refuseViewerRequest(409, 'session_terminal', 'a limit ended this session; start it again'),
  persistence_failed: refuseViewerRequest(
    500,
    'persistence_failed',
    'the trace of this session could not be written; start it again',
  ),
  adapter_failure: refuseViewerRequest(500, 'adapter_failure', 'this session is broken; start it again'),
  start_timeout: refuseViewerRequest(500, 'repl_start_failed', 'the session was not opened in time; try again'),
};

const OPENINGS: Readonly<Partial<Record<SessionCode, readonly [status: number, code: string]>>> = {
  command_failed: [503, 'trace_unavailable'],
  source_unavailable: [503, 'trace_unavailable'],
  source_changed: [503, 'trace_unavailable'],
  source_limit_exceeded: [413, 'trace_source_too_large'],
  source_retained_limit_exceeded: [413, 'trace_source_too_large'],
  result_limit_exceeded: [413, 'trace_source_too_large'],
  malformed_source: [422, 'unsupported_trace'],
  unsupported_schema: [422, 'unsupported_trace'],
};

function faultAnswer(fault: ReplFault): HttpAnswer {
  return fault.fault === 'not_opened' ? openingAnswer(fault.refusal) : FAULTS[fault.fault];
}

function openingAnswer({ code, message, hint }: SetupRefusal): HttpAnswer {
  const [status, answer] = OPENINGS[code] ?? [500, 'repl_start_failed'];
  return refuseViewerRequest(status, answer, hint === null ? message : `${message}: ${hint}`);
}
