import type { IncomingMessage } from 'node:http';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { findText } from '../../history/analysis/members.ts';
import { PROFILE_LIMITS } from '../../session/profiles/contract.ts';
import { refuseViewerRequest, type HttpAnswer } from '../answers.ts';
import { readRequestBody } from '../request-body.ts';
import { PLAIN_RUN_ID, type TemplateKind } from './template.ts';

/** Bytes of the body of a change (evidence.md §11). */
export const REPL_BODY_BYTES = 70_000;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

export type ReplOperation = 'evaluations' | 'names' | 'templates' | 'reset' | 'end';

/** What a change asks for. */
export type ReplRequest =
  | { readonly operation: 'evaluations'; readonly source: string }
  | { readonly operation: 'templates'; readonly kind: TemplateKind; readonly runId: string }
  | { readonly operation: 'names' | 'reset' | 'end' };

export type ReadRequest =
  | { readonly ok: true; readonly request: ReplRequest }
  | { readonly ok: false; readonly answer: HttpAnswer };

const INVALID = refuseViewerRequest(400, 'invalid_request', 'the body is not what this route takes');
const TOO_LARGE = refuseViewerRequest(
  413,
  'source_too_large',
  `a form has at most ${PROFILE_LIMITS.subordinate_source_bytes} bytes`,
);

/**
 * `sessionId`: of the one session there is. Anyone who has seen another one reads the page again before it changes
 * anything.
 */
export async function readRequest(
  request: IncomingMessage,
  operation: ReplOperation,
  sessionId: string,
): Promise<ReadRequest> {
  const answer = preconditionFault(request, sessionId) ?? formFault(request, operation);
  if (answer !== null) return { ok: false, answer };
  if (operation === 'end') return { ok: true, request: { operation } };
  const bytes = await readRequestBody(request, REPL_BODY_BYTES);
  if (bytes === null)
    return {
      ok: false,
      answer: {
        ...refuseViewerRequest(413, 'body_too_large', `a body has at most ${REPL_BODY_BYTES} bytes`),
        headers: { connection: 'close' },
      },
    };
  const parsed = parseJson(bytes, documentLimits(REPL_BODY_BYTES));
  if (!parsed.ok) return { ok: false, answer: refuseViewerRequest(400, 'invalid_json', 'the body is no JSON') };
  const body = valueOf(parsed.root);
  return isJsonObject(body) ? readOperation(body, operation) : { ok: false, answer: INVALID };
}

function preconditionFault(request: IncomingMessage, sessionId: string): HttpAnswer | null {
  const [input, ...others] = request.headersDistinct['x-svc-viewer-session'] ?? [];
  if (input === undefined || others.length > 0)
    return refuseViewerRequest(
      428,
      'session_precondition_required',
      'a change names the session that it is meant for, in X-Svc-Viewer-Session',
    );
  return input === sessionId
    ? null
    : refuseViewerRequest(412, 'session_changed', 'another page started a new session: read it, and then try again');
}

function formFault(request: IncomingMessage, operation: ReplOperation): HttpAnswer | null {
  const { 'content-length': length = '0', 'transfer-encoding': encoding, 'content-type': type = '' } = request.headers;
  if (operation === 'end')
    return length !== '0' || encoding !== undefined
      ? refuseViewerRequest(400, 'delete_body_not_allowed', 'a session is ended without a body')
      : null;
  return JSON_TYPE.test(type) ? null : refuseViewerRequest(415, 'unsupported_media_type', 'a body is application/json');
}

function readOperation(body: JsonObject, operation: Exclude<ReplOperation, 'end'>): ReadRequest {
  switch (operation) {
    case 'evaluations': {
      const source = findText(body, 'source');
      if (body.size !== 1 || source === undefined || source.trim() === '') return { ok: false, answer: INVALID };
      return Buffer.byteLength(source) > PROFILE_LIMITS.subordinate_source_bytes
        ? { ok: false, answer: TOO_LARGE }
        : { ok: true, request: { operation, source } };
    }
    case 'templates': {
      const [kind, runId] = [findText(body, 'kind'), findText(body, 'run_id')];
      const isFit =
        body.size === 2 && (kind === 'run' || kind === 'turns') && runId !== undefined && PLAIN_RUN_ID.test(runId);
      return isFit ? { ok: true, request: { operation, kind, runId } } : { ok: false, answer: INVALID };
    }
    case 'names':
    case 'reset':
      return body.size === 0 ? { ok: true, request: { operation } } : { ok: false, answer: INVALID };
  }
}
