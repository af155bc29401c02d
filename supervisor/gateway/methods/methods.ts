import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { bare, renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';
import { callCode, type CodeServices } from '../code/code-call.ts';
import type { RenderedToolCatalogue } from '../tools/catalogue.ts';
import { callTool } from '../tools/call.ts';
import type { CallServices, ToolCallRequest } from '../tools/call-services.ts';
import { LEGACY_VERSIONS, MODERN_VERSION } from '../../../contract/mcp/era.ts';
import { eraOf } from '../protocol/request-era.ts';
import { type Message } from '../../../contract/mcp/message.ts';
import { messageOf } from '../protocol/body-message.ts';
import { modernFault, unsupportedVersion } from '../protocol/modern.ts';
import { RPC, resultText } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';

/** What requests are answered with. */
export interface MethodServices extends CallServices {
  readonly catalogue: RenderedToolCatalogue;
  /** What `server/discover` answers, canonical JSON. */
  readonly discovery: string;
  /** Name and version of this program. */
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly servesLegacy: boolean;
  /** Tools of code mode. */
  readonly code: CodeServices;
  /** For clients that write programs; null: there are no such tools. */
  readonly instructions: string | null;
}

/** A body that was read, and anyone who sent it. */
export type BodyRequest = Pick<ToolCallRequest, 'headers' | 'disconnected' | 'open'> & { readonly body: Uint8Array };

/** Rows 10 to 18 of gateway.md §3; null: the answer was streamed, or nobody waits for it. */
export async function answerBody(
  { body, headers, disconnected, open }: BodyRequest,
  services: MethodServices,
): Promise<GatewayAnswer | null> {
  const read = messageOf(body);
  if (!read.ok) return read.answer;
  const { message } = read;
  const era = eraOf(message, headers);
  if (message.id === null) return bare(202);
  const request: ToolCallRequest = { message, era, headers, disconnected, open };
  return era === 'modern' ? answerModern(request, services) : answerLegacy(request, services);
}

async function answerModern(request: ToolCallRequest, services: MethodServices): Promise<GatewayAnswer | null> {
  const { message, headers } = request;
  const fault = modernFault(message, headers);
  if (fault !== null) return fault;
  switch (message.method) {
    case 'server/discover':
      return result(message, services.discovery);
    case 'tools/list':
      return message.params?.has('cursor') === true
        ? rpcError(200, message.id, RPC.params, { reason: 'cursor' })
        : result(message, services.catalogue.modern);
    default:
      return call(request, services);
  }
}

async function call(request: ToolCallRequest, services: MethodServices): Promise<GatewayAnswer | null> {
  const name = request.message.params?.get('name');
  const found = typeof name === 'string' ? services.code.find(name) : null;
  return found === null ? callTool(request, services) : callCode(request, found, services, services.code);
}

/** Stateless, for clients that open a session: they are given none (gateway.md §7). */
async function answerLegacy(request: ToolCallRequest, services: MethodServices): Promise<GatewayAnswer | null> {
  const { message } = request;
  if (!services.servesLegacy) return unsupportedVersion(message.id, requestedVersion(message) ?? 'none');
  switch (message.method) {
    case 'initialize':
      return result(message, initialized(message, services));
    case 'ping':
      return result(message, '{}');
    case 'tools/list':
      return message.params?.has('cursor') === true
        ? rpcError(200, message.id, RPC.params, { reason: 'cursor' })
        : result(message, services.catalogue.legacy);
    case 'tools/call':
      return call(request, services);
    default:
      return rpcError(200, message.id, RPC.method);
  }
}

function initialized(message: Message, { serverInfo, instructions }: MethodServices): string {
  const requested = requestedVersion(message);
  const protocolVersion = LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS.at(-1);
  return plainJson({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo,
    ...(instructions === null ? {} : { instructions }),
  });
}

function requestedVersion({ params }: Message): string | null {
  const version = params?.get('protocolVersion');
  return typeof version === 'string' ? version : null;
}

function result(message: Message, text: string): GatewayAnswer {
  return renderJsonAnswer(200, resultText(message.id, text));
}

/** Versions that are named to the person who asks for them. */
export const SERVED_VERSIONS = [MODERN_VERSION] as const;
