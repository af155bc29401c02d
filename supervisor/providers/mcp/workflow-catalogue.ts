import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Capability, Dispatch, DispatchedCall } from '../../calls/broker/capability.ts';
import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { Acquire, AcquisitionTools, Occurrence, ToolCatalogue } from '../source/installed-provider.ts';
import { fetchCatalogue, type ServerTransport } from './ask-server.ts';

type Installation = InstallationOf<'mcp'>;

/**
 * What a workflow may have of a server: `<alias>.catalog`, which says what the server offered when the run began
 * (documents.md §3). The server is asked once and closed again, so that none of it can be called.
 */
export async function acquireCatalogue(
  installation: Installation,
  transport: ServerTransport,
  occurrence: Occurrence,
  tools: AcquisitionTools,
  host: HostDocument | null,
): ReturnType<Acquire> {
  const answer = await fetchCatalogue(installation, transport, occurrence, tools, host);
  if (tools.signal.aborted) return { ok: false, refusal: 'stopped' };
  if (!answer.ok) return answer;
  const { catalogue } = answer;
  const value = catalogueJson(occurrence.alias, catalogue);
  return {
    ok: true,
    value: {
      capabilities: [catalogueCapability(`${occurrence.alias}.catalog`, value, installation, tools)],
      snapshot: { acquisition: snapshotFacts(transport, value), unidentified: [], contentHash: null },
      session: null,
      hasActivity: true,
      share: null,
      close: catalogue.isReleased ? null : releaseLater,
    },
  };
}

/** The same as the result of `svc catalog` (providers.md §13). */
function catalogueJson(provider: string, { tools, pages }: ToolCatalogue): JsonObject {
  const listed = tools.map(
    ({ name, description, inputSchema, outputSchema }): JsonValue =>
      new Map<string, JsonValue>([
        ['name', name],
        ...(description === null ? [] : [['description', description] as const]),
        ['input_schema', inputSchema],
        ...(outputSchema === null ? [] : [['output_schema', outputSchema] as const]),
      ]),
  );
  return new Map<string, JsonValue>([
    ['provider', provider],
    ['tool_count', BigInt(tools.length)],
    ['tools', listed],
    [
      'pagination',
      new Map<string, JsonValue>([
        ['pages', BigInt(pages)],
        ['truncated', false],
      ]),
    ],
  ]);
}

function snapshotFacts({ type }: ServerTransport, value: JsonObject): JsonObject {
  return new Map([
    ['source', 'mcp'],
    ['protocol', 'mcp-2026-07-28'],
    ['transport', type],
    ['catalog_hash', createHash('sha256').update(canonicalJson(value)).digest('hex')],
  ]);
}

const NO_ARGUMENTS: JsonObject = new Map<string, JsonValue>([
  ['type', 'object'],
  ['properties', new Map()],
  ['additionalProperties', false],
]);

function catalogueCapability(
  name: string,
  catalogue: JsonObject,
  { ceilings }: Installation,
  { limits }: AcquisitionTools,
): Capability {
  const value = SerializedJson.of(catalogue);
  return {
    name,
    description: 'Everything that the server offers, as it listed it when the run began.',
    effect: 'read',
    isModelVisible: false,
    inputSchema: NO_ARGUMENTS,
    outputSchema: null,
    timeoutMs: ceilings.timeout_ms,
    argumentBytes: limits.capability_argument_bytes,
    resultBytes: limits.capability_result_bytes,
    inspectionCapture: 'full',
    checkArguments: async (input) =>
      input.value.size === 0
        ? { status: 'valid' }
        : { status: 'invalid', violations: [new Map([['rule', 'additionalProperties']])] },
    accepts: () => true,
    checkResult: async () => ({ status: 'valid' }),
    route: null,
    dispatch: (_, call) => answerWith(value, call),
  };
}

function answerWith(value: SerializedJson, { openGate }: DispatchedCall): Dispatch {
  const outcome = async (): Dispatch['outcome'] =>
    (await openGate())
      ? { kind: 'value', value, usage: null, finish: null }
      : {
          kind: 'error',
          reason: 'unavailable',
          details: null,
          retryable: false,
          proof: 'not_dispatched',
          isProtocolFault: false,
          usage: null,
          replayMiss: null,
        };
  return { outcome: outcome(), exchanges: () => [], kill: async () => undefined };
}

function releaseLater(): Promise<never> {
  return Promise.reject(new Error('some process of the server could not be seen dead'));
}
