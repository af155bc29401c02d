import { createHash } from 'node:crypto';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import { approvalRequestFacts } from '../../../contract/approval-facts.ts';
import { doPaced } from '../../../contract/json/paced.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { SerializedJson, slicedHash } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { cutSaid, type Attempt, type Exchange } from '../../../contract/provider-protocol/call.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { InspectionRecord } from './writer.ts';

/** Prints of a workflow that are kept (runtime.md §9, fixed). */
const PRINTS = 128;
const PRINT_BYTES = 65_536;

/** One component's exact source; `mission` is null for the workflow's. */
export function preludeSource(
  component: { readonly id: string; readonly source: string },
  mission: string | null,
): InspectionRecord {
  return record(
    'prelude-source',
    { component_id: component.id },
    {
      environment: mission === null ? 'workflow' : 'mission',
      ...(mission === null ? {} : { mission_name: mission }),
      source: component.source,
      source_hash: createHash('sha256').update(component.source).digest('hex'),
      source_bytes: Buffer.byteLength(component.source),
    },
  );
}

/** What the workflow printed, as far as it is kept. */
export function recordExecutionPrints(evaluationId: string, prints: readonly string[]): InspectionRecord {
  const retained: string[] = [];
  let bytes = 0;
  for (const print of prints.slice(0, PRINTS)) {
    bytes += Buffer.byteLength(print);
    if (bytes > PRINT_BYTES) break;
    retained.push(print.toWellFormed());
  }
  return record(
    'execution-prints',
    { evaluation_id: evaluationId },
    { environment: 'workflow', prints: retained, truncated: retained.length < prints.length },
  );
}

export interface ExecutionError {
  readonly kind: string;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The evaluation whose record the failed value is; null or absent: none. */
  readonly producer?: string | null;
}

/** Why the workflow failed, in full. Facts without a JSON form are left out. */
export function executionError(evaluationId: string, error: ExecutionError): InspectionRecord {
  const details = Object.entries(error.details).map(([name, value]) => [name, jsonFromPlain(value)] as const);
  const known = details.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return record(
    'execution-error',
    { evaluation_id: evaluationId },
    {
      environment: 'workflow',
      kind: error.kind,
      reason: error.reason,
      details: new Map(known),
      ...boundaryProducer(error),
    },
  );
}

/** The run forgets no evaluation (kernel/missions/produced.ts), so what is known of them is complete. */
function boundaryProducer({ producer = null }: ExecutionError): Readonly<Record<string, JsonValue>> {
  if (producer === null) return {};
  return {
    boundary_producer: new Map<string, JsonValue>([
      ['evaluation_ids', [producer]],
      ['complete?', true],
    ]),
  };
}

export function explicitFailureValue(evaluationId: string, value: JsonValue): InspectionRecord {
  return record('explicit-failure-value', { evaluation_id: evaluationId }, { environment: 'workflow', value });
}

/** Whose call it is: null is the workflow. */
interface Call {
  readonly capabilityId: string;
  readonly mission: string | null;
  readonly name: string;
}

/** What a program asks, before its provider sees it. `requestHash`: replay key of a model request. */
export function capabilityInput(
  call: Call,
  input: SerializedJson<JsonObject>,
  requestHash: string | null,
): InspectionRecord {
  return callRecord('capability-input', call, {
    arguments: input,
    ...(requestHash === null ? {} : { request_hash: requestHash }),
  });
}

export interface ThrownFacts {
  readonly exceptionClass: string;
  readonly message: string;
  readonly isMessageTruncated: boolean;
  readonly frames: readonly string[];
  readonly isStackTruncated: boolean;
}

export function capabilityException(call: Call, thrown: ThrownFacts): InspectionRecord {
  return callRecord('capability-exception', call, {
    exception_class: thrown.exceptionClass,
    message: thrown.message,
    message_truncated: thrown.isMessageTruncated,
    stacktrace: thrown.frames,
    stacktrace_truncated: thrown.isStackTruncated,
  });
}

/** One attempt of a call that was tried again, or that failed: what its provider said of it (world.md §1.4). */
export function capabilityAttempt(
  call: Call,
  attempt: number,
  { outcome, status, said, waitedMs }: Attempt,
): InspectionRecord {
  return callRecord('capability-attempt', call, {
    attempt,
    outcome,
    waited_ms: waitedMs,
    ...(status === null ? {} : { http_status: status }),
    ...(said === null ? {} : { said: cutSaid(said) }),
  });
}

/** What a person was shown before a call was sent, or not (approvals.md §10). */
export function approvalRequestRecord(request: ApprovalRequest): InspectionRecord {
  const { approval_id: _, mission: _mission, ...shown } = approvalRequestFacts(request);
  return record('approval-request', { approval_id: request.approvalId }, { ...ownerFacts(request), ...plain(shown) });
}

/** What became of the question; reason and principal are here alone. */
export function approvalDecisionRecord(
  request: Pick<ApprovalRequest, 'approvalId' | 'mission'>,
  decided: Readonly<Record<string, unknown>>,
): InspectionRecord {
  return record(
    'approval-decision',
    { approval_id: request.approvalId },
    { ...ownerFacts(request), ...plain(decided) },
  );
}

function ownerFacts({ mission }: Pick<ApprovalRequest, 'mission'>): Readonly<Record<string, JsonValue>> {
  return mission === null ? { environment: 'workflow' } : { environment: 'mission', mission_name: mission };
}

/** Our own facts are JSON by construction; anything else is a bug. */
function plain(facts: object): Readonly<Record<string, JsonValue>> {
  const json = jsonFromPlain(facts);
  if (!isJsonObject(json)) throw new TypeError('the facts of a question are a JSON object');
  return Object.fromEntries(json);
}

/** How much of a payload is kept: itself, or what identifies it. */
type Capture = 'full' | 'digest_results';

/** What the program sees; of an error the caller keeps all. */
export async function capabilityOutput(
  call: Call,
  result: SerializedJson,
  capture: Capture = 'full',
  reasoning: string | null = null,
): Promise<InspectionRecord> {
  return callRecord('capability-output', call, {
    ...(capture === 'full' ? { result } : { result_identity: await identityOf(result) }),
    ...(reasoning === null ? {} : { reasoning }),
  });
}

/**
 * A message of an MCP server's call, its answer and what its child wrote meanwhile: as many records as there are of
 * these.
 */
export async function mcpExchange(
  call: Call,
  exchange: Exchange<JsonValue>,
  capture: Capture,
): Promise<readonly InspectionRecord[]> {
  const { transport, requestId, request, response, stderr } = exchange;
  const correlation = { capability_id: call.capabilityId, request_id: requestId };
  const owned = call.mission === null ? {} : { mission_name: call.mission };
  return [
    record('mcp-request', correlation, { ...owned, transport, body: request }),
    ...(response === null
      ? []
      : [
          record('mcp-response', correlation, {
            ...owned,
            transport,
            ...(capture === 'full'
              ? { body: response }
              : { body_identity: await identityOf(SerializedJson.of(response)) }),
          }),
        ]),
    ...(stderr === null
      ? []
      : [record('mcp-stderr', correlation, { ...owned, transport, text: stderr.text, truncated: stderr.isTruncated })]),
  ];
}

const IDENTITY_DOMAIN = Buffer.from('svc.inspection-value.v1\0');

/** evidence.md §6, "Identity". */
async function identityOf(json: SerializedJson): Promise<JsonValue> {
  const text = await json.text(EVENT_LOOP_PACE);
  const bytes = Buffer.byteLength(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes));
  const hash = await doPaced(
    slicedHash(createHash('sha256').update(IDENTITY_DOMAIN).update(length), text),
    EVENT_LOOP_PACE,
  );
  return new Map<string, JsonValue>([
    ['encoding', 'svc-canonical-json-v1'],
    ['sha256', `sha256:${hash.digest('hex')}`],
    ['encoded_bytes', bytes],
  ]);
}

function callRecord(type: string, { capabilityId, mission, name }: Call, payload: Payload): InspectionRecord {
  return record(
    type,
    { capability_id: capabilityId },
    {
      environment: mission === null ? 'workflow' : 'mission',
      ...(mission === null ? {} : { mission_name: mission }),
      name,
      ...payload,
    },
  );
}

/** `hash`: DIGEST of the value's canonical JSON, the same as in `run-stopped`. */
export function runResult(hash: string, value: SerializedJson): InspectionRecord {
  return record('run-result', {}, { result_hash: hash, value });
}

function record(type: string, correlation: Readonly<Record<string, JsonValue>>, payload: Payload): InspectionRecord {
  return {
    type,
    correlation: new Map(Object.entries(correlation)),
    payload: SerializedJson.object(Object.entries(payload)),
  };
}

/** What is serialized already is not written again. */
type Payload = Readonly<Record<string, JsonValue | SerializedJson>>;
