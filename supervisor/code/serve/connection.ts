import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { discovery, LIST_CACHE } from '../../../contract/mcp/discovery.ts';
import { LEGACY_VERSIONS, META, MODERN_VERSION, metaOf } from '../../../contract/mcp/era.ts';
import { showsForms } from '../asking/capability.ts';
import { readEarlierRound } from '../asking/input-required.ts';
import { RoundSeal, type RoundOwner } from '../asking/round-state.ts';
import { readMessage, readResponse, type Message } from '../../../contract/mcp/message.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { errorText, resultText, RPC, type RequestId, type RpcCode } from '../../../contract/mcp/rpc.ts';
import type { WaitingAsker } from './asking.ts';
import { ElicitingClient } from './eliciting-client.ts';
import type { RunTimers } from './pending-runs.ts';
import { answerRound, callCodeTool, type ToolCall, type ToolServices } from './tools.ts';

/** Bytes of one line. */
export const LINE_BYTES = 2_097_152;

/** Revisions of clients that open with `initialize`, the newest last. */
const NEWEST_OLDER = '2025-11-25' satisfies (typeof LEGACY_VERSIONS)[number];
export const OLDER_VERSIONS = ['2024-11-05', ...LEGACY_VERSIONS] as const;

export interface ConnectionServices extends Omit<ToolServices, 'asking' | 'seal'> {
  readonly timers: RunTimers;
  /** Where questions wait that this client asks nobody; null: there is no other command. */
  readonly waiting: WaitingAsker | null;
  /** Whether anybody is to be asked. */
  readonly asks: boolean;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions: string;
  /** Canonical JSON of the list of tools. */
  readonly tools: () => string;
  /** One line of the protocol, without its end. */
  readonly send: (text: string) => void;
  readonly reportBug: (error: unknown) => void;
}

const WORDS: Readonly<Record<number, string>> = {
  [RPC.parse]: 'the line is not one JSON text of at most 2097152 bytes',
  [RPC.invalid]: 'the line is not one JSON-RPC request',
};

/** One client over a stream of lines: requests are answered as their work ends, in any order (code-mode.md §2). */
export class CodeConnection {
  readonly #services: ConnectionServices;
  readonly #open = new Map<RequestId, AbortController>();
  readonly #working = new Set<Promise<void>>();
  /** `_meta` of every modern result. */
  readonly #server: string;
  readonly #client: ElicitingClient;
  readonly #seal = new RoundSeal();

  constructor(services: ConnectionServices) {
    this.#services = services;
    this.#client = new ElicitingClient({ send: services.send, timers: services.timers, toolScope: 'session' });
    this.#server = plainJson({ [META.server]: services.serverInfo });
  }

  /** One line as it came; null: one that is longer than any may be. */
  receive(line: Uint8Array | null): void {
    const response = line === null ? null : readResponse(line, LINE_BYTES);
    if (response !== null) {
      this.#client.receive(response);
      return;
    }
    const read = line === null ? ({ ok: false, id: null, code: RPC.parse } as const) : readMessage(line, LINE_BYTES);
    if (!read.ok) {
      this.#refuse(read.id, read.code);
      return;
    }
    const { message } = read;
    if (message.id === null) {
      this.#notified(message);
      return;
    }
    const work: Promise<void> = this.#answer(message)
      .catch((error: unknown) => {
        this.#services.reportBug(error);
        this.#refuse(message.id, RPC.internal);
      })
      .finally(() => {
        this.#working.delete(work);
      });
    this.#working.add(work);
  }

  /** Nobody waits for an answer any more; settles when none is worked on. */
  async close(): Promise<void> {
    for (const controller of this.#open.values()) controller.abort();
    await Promise.all(this.#working);
  }

  #notified({ method, params }: Message): void {
    if (method !== 'notifications/cancelled') return;
    const id = params?.get('requestId');
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort();
  }

  async #answer(message: Message): Promise<void> {
    const { id, method, params } = message;
    const meta = metaOf(message);
    const isModern = meta?.has(META.version) === true;
    if (isModern) {
      const version = meta.get(META.version);
      if (typeof version !== 'string' || !isJsonObject(meta.get(META.capabilities))) {
        this.#refuse(id, RPC.params, { reason: 'meta' });
        return;
      }
      if (version !== MODERN_VERSION) {
        this.#refuse(id, RPC.version, { supported: [MODERN_VERSION], requested: version });
        return;
      }
    }
    switch (method) {
      case 'initialize':
        if (!isModern) this.#result(id, this.#initialized(params));
        else this.#refuse(id, RPC.method);
        return;
      case 'ping':
        if (!isModern) this.#result(id, '{}');
        else this.#refuse(id, RPC.method);
        return;
      case 'server/discover':
        // No older revision has it: what is missing is what every request of the current one carries.
        if (isModern) this.#result(id, this.#discovered());
        else this.#refuse(id, RPC.params, { reason: 'meta' });
        return;
      case 'tools/list':
        if (params?.has('cursor') === true) this.#refuse(id, RPC.params, { reason: 'cursor' });
        else this.#result(id, this.#list(isModern));
        return;
      case 'tools/call':
        await this.#call(message, isModern);
        return;
      default:
        this.#refuse(id, RPC.method);
    }
  }

  async #call(message: Message, isModern: boolean): Promise<void> {
    const { id, params } = message;
    const [name, input = new Map<string, JsonValue>()] = [params?.get('name'), params?.get('arguments')];
    if (typeof name !== 'string') return this.#refuse(id, RPC.params, { reason: 'name' });
    if (!isJsonObject(input)) return this.#refuse(id, RPC.params, { reason: 'arguments' });
    const joins = isModern ? this.#joins(message, name, input) : undefined;
    if (joins === 'refused') return this.#refuse(id, RPC.params, { reason: 'state_invalid' });
    if (joins === 'unreadable') return this.#refuse(id, RPC.params, { reason: 'arguments' });
    const controller = new AbortController();
    this.#open.set(id, controller);
    const meta = metaOf(message);
    const token = meta?.get('progressToken');
    const isWatched = typeof token === 'string' || typeof token === 'number';
    try {
      const result = await callCodeTool(
        {
          name,
          input,
          disconnected: controller.signal,
          onCall: (calls) => {
            if (isWatched && !controller.signal.aborted) this.#progress(token, calls);
          },
          canAnswerAsk: isModern && showsForms(meta?.get(META.capabilities)),
          ...(joins === undefined ? {} : { joins }),
        },
        {
          ...this.#services,
          // A client of the current revision takes no requests.
          asking: this.#services.asks
            ? { client: isModern ? null : this.#client, waiting: this.#services.waiting }
            : null,
          seal: (round) => this.#seal.seal(this.#owner(name, input), round),
        },
      );
      // A request that was cancelled is answered by nobody.
      if (controller.signal.aborted) return;
      if (result === null) this.#refuse(id, RPC.params, { reason: 'unknown_tool' });
      else this.#result(id, isModern ? this.#modern(result) : canonicalJson(result));
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id);
    }
  }

  /** The run that a state names, which has its answers by now. */
  #joins(message: Message, name: string, input: JsonObject): ToolCall['joins'] | 'refused' | 'unreadable' {
    const round = readEarlierRound(message.params);
    if (round === 'unreadable') return round;
    if (round === null) return undefined;
    const opened = this.#seal.open(this.#owner(name, input), round.state);
    if (opened === null) return 'refused';
    const joins = { round: opened, answers: round.answers };
    return answerRound(this.#services.runs, joins) === null ? 'refused' : joins;
  }

  #owner(tool: string, input: JsonObject): RoundOwner {
    return { principal: '', tool, arguments: canonicalJson(input) };
  }

  #progress(token: string | number, calls: number): void {
    this.#services.send(
      plainJson({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: calls, message: `${calls} calls` },
      }),
    );
  }

  #modern(result: JsonObject): string {
    const text = canonicalJson(new Map<string, JsonValue>([['resultType', 'complete'], ...result]));
    return `{"_meta":${this.#server},${text.slice(1)}`;
  }

  #list(isModern: boolean): string {
    const tools = this.#services.tools();
    return isModern
      ? `{"_meta":${this.#server},"cacheScope":"${LIST_CACHE.cacheScope}","resultType":"complete","tools":${tools},"ttlMs":${LIST_CACHE.ttlMs}}`
      : `{"tools":${tools}}`;
  }

  #discovered(): string {
    return discovery([MODERN_VERSION], this.#server, this.#services.instructions);
  }

  #initialized(params: JsonObject | null): string {
    const requested = params?.get('protocolVersion');
    const protocolVersion = OLDER_VERSIONS.find((version) => version === requested) ?? NEWEST_OLDER;
    this.#client.declare(protocolVersion, params);
    const { serverInfo, instructions } = this.#services;
    return plainJson({ protocolVersion, capabilities: { tools: {} }, serverInfo, instructions });
  }

  #result(id: RequestId, result: string): void {
    this.#services.send(resultText(id, result));
  }

  #refuse(id: RequestId, code: RpcCode, data?: Parameters<typeof errorText>[2]): void {
    const text = errorText(id, code, data, WORDS[code]);
    this.#services.send(id === null ? `${text.slice(0, -1)},"id":null}` : text);
  }
}
