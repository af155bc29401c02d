import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { AnalysisFault, Answer } from '../history/analysis/answer.ts';
import { members } from '../history/analysis/members.ts';

/** What a route answers; sent with the headers of every answer (evidence.md §11). */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bytes of an answer's JSON (evidence.md §7). */
export const VIEWER_ANSWER_BYTES = 1_000_000;

export function renderJson(status: number, value: JsonValue): HttpAnswer {
  return { status, type: 'application/json; charset=utf-8', body: Buffer.from(canonicalJson(value)) };
}

/** A refusal: a word that programs distinguish, and a sentence with what to do. */
export function refuseViewerRequest(status: number, code: string, message: string): HttpAnswer {
  return renderJson(status, members({ error: members({ code, message }) }));
}

export const FORBIDDEN = refuseViewerRequest(
  403,
  'forbidden_request',
  'this request does not come from a page of this viewer',
);
export const NO_ROUTE = refuseViewerRequest(404, 'not_found', 'there is no such route');

const FAULTS: Readonly<Record<AnalysisFault, readonly [status: number, message: string]>> = {
  not_found: [404, 'no captured run has this id; refresh, or look at the list of runs'],
  run_isolated: [422, 'the files of this run were set aside, since they contradict each other or are damaged'],
  evidence_unavailable: [404, 'this run has no private evidence here'],
  source_changed: [409, 'a file changed after it was captured; refresh'],
  result_limit_exceeded: [413, 'the answer is larger than answers may be'],
  invalid_query: [400, 'an option is unknown or has a value that is not accepted'],
  malformed_source: [422, 'a file is no evidence, or is damaged'],
  unsupported_version: [422, 'a file is of a version that this program does not read'],
  source_limit_exceeded: [413, 'there are more files or bytes than a capture may hold; prune old runs'],
  source_unavailable: [503, 'the directory of the evidence cannot be read; run the project once, and then refresh'],
  inspection_correlation_missing: [422, 'private evidence does not belong to its trace'],
};

export function faultAnswer(fault: AnalysisFault): HttpAnswer {
  const [status, message] = FAULTS[fault];
  return refuseViewerRequest(status, fault, message);
}

export function renderAnswer(result: Answer<JsonValue>): HttpAnswer {
  return result.ok ? renderJson(200, result.value) : faultAnswer(result.fault);
}
