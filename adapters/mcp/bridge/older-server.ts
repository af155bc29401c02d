import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ListToolsResult,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLIENT } from '../protocol/revision.ts';

type Params = Record<string, unknown>;

/** A server of an earlier revision, over which a session is open. */
export interface OlderServer {
  /** What it calls itself; null where it says nothing. */
  readonly info: { readonly name: string; readonly version: string } | null;
  readonly hasTools: boolean;
  /** Rejects with what the server answers instead of a result; an aborted signal is reported to it. */
  list(params: Params, signal: AbortSignal): Promise<ListToolsResult>;
  call(params: Params, signal: AbortSignal): Promise<CallToolResult>;
  onClose(closed: () => void): void;
  /** Ends its process: end of its input, then SIGTERM, then SIGKILL; of one over HTTP, the session. */
  close(): Promise<void>;
}

/** The caller gives up by cancelling: no time of our own ends a request. */
const NO_TIMEOUT_MS = LONGEST_TIMER_MS;
/** As svc itself reads (providers.md §7.8). */
const MESSAGE_BYTES = 2_097_152;

/** What a server over HTTP is authorised by, if by anything: the whole value of a header, over TLS alone. */
const AUTHORIZATION = 'SVC_MCP_BRIDGE_AUTHORIZATION';

/** Whether a command is the address of a server that runs already. */
export function isAddress(command: string): boolean {
  return /^https?:\/\//.test(command);
}

/** Starts it, or asks at its address, and agrees on a revision. Rejects where either fails. */
export async function openOlderServer(command: string, args: readonly string[]): Promise<OlderServer> {
  const remote = isAddress(command) ? overHttp(command) : null;
  const transport = remote ?? overStreams(command, args);
  const client = new Client({ name: CLIENT.name, version: CLIENT.version }, { capabilities: {} });
  let closed: (() => void) | null = null;
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- the package knows no other way
  client.onclose = () => closed?.();
  await client.connect(transport);
  const info = client.getServerVersion();
  return {
    info: info === undefined ? null : { name: info.name, version: info.version },
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    list: async (params, signal) =>
      client.request({ method: 'tools/list', params }, { signal, timeout: NO_TIMEOUT_MS }),
    call: async (params, signal) =>
      client.request(
        { method: 'tools/call', params: { ...params, name: String(params['name']) } },
        { signal, timeout: NO_TIMEOUT_MS },
      ),
    onClose: (report) => {
      closed = report;
    },
    close: async () => {
      await remote?.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

function overStreams(command: string, args: readonly string[]): StdioClientTransport {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return new StdioClientTransport({ command, args: [...args], env, stderr: 'inherit', maxBufferSize: MESSAGE_BYTES });
}

function overHttp(address: string): StreamableHTTPClientTransport {
  const { [AUTHORIZATION]: authorization } = process.env;
  const isSecret = authorization !== undefined && authorization !== '';
  if (isSecret && !address.startsWith('https:')) throw new Error(`${AUTHORIZATION} goes over https alone`);
  // Anyone who redirects would receive the header too.
  return new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { redirect: 'error', ...(isSecret && { headers: { authorization } }) },
  });
}
