import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { discovery, LIST_CACHE } from '../../../contract/mcp/discovery.ts';
import { LEGACY_VERSIONS, META, MODERN_VERSION, metaOf } from '../../../contract/mcp/era.ts';
import { readMessage, type Message } from '../../../contract/mcp/message.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { errorText, resultText, RPC, type RequestId, type RpcCode } from '../../../contract/mcp/rpc.ts';
import { callCodeTool, type ToolServices } from './tools.ts';

/** Bytes of one line. */
export const LINE_BYTES = 2_097_152;

/** Revisions of clients that open with `initialize`, the newest last. */
export const OLDER_VERSIONS = ['2024-11-05', ...LEGACY_VERSIONS] as const;

export interface ConnectionServices extends ToolServices {
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

  constructor(services: ConnectionServices) {
    this.#services = services;
    this.#server = plainJson({ [META.server]: services.serverInfo });
  }

  /** One line as it came; null: one that is longer than any may be. */
  receive(line: Uint8Array | null): void {
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
    const [name, given = new Map<string, JsonValue>()] = [params?.get('name'), params?.get('arguments')];
    if (typeof name !== 'string') return this.#refuse(id, RPC.params, { reason: 'name' });
    if (!isJsonObject(given)) return this.#refuse(id, RPC.params, { reason: 'arguments' });
    const controller = new AbortController();
    this.#open.set(id, controller);
    const token = metaOf(message)?.get('progressToken');
    const isWatched = typeof token === 'string' || typeof token === 'number';
    try {
      const result = await callCodeTool(
        {
          name,
          given,
          gone: controller.signal,
          onCall: (calls) => {
            if (isWatched && !controller.signal.aborted) this.#progress(token, calls);
          },
        },
        this.#services,
      );
      // A request that was cancelled is answered by nobody.
      if (controller.signal.aborted) return;
      if (result === null) this.#refuse(id, RPC.params, { reason: 'unknown_tool' });
      else this.#result(id, isModern ? this.#modern(result) : canonicalJson(result));
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id);
    }
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
    const text = canonicalJson(new Map<string, JsonValue>([...result, ['resultType', 'complete']]));
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
    const asked = params?.get('protocolVersion');
    const protocolVersion = OLDER_VERSIONS.find((version) => version === asked) ?? OLDER_VERSIONS.at(-1);
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
