import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { logIn as logInAs } from '../../../conformance/cli/log-in.ts';
import { CERTIFICATES } from '../../../conformance/servers/http/listen.ts';
import { agree, visit } from '../../../conformance/servers/oauth/robot.ts';
import { ToolRoom, type ToolReport } from '../../../conformance/tools/room.ts';
import type { Plan, PlannedAuthorisation, PlannedCall } from './plans.ts';
import { tlsFront } from './tls-front.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the runner hands its client. */
export interface Scenario {
  /** Of the server of tools. */
  readonly url: string;
  readonly context: Members;
}

const SCOPES = ['mcp:basic', 'mcp:read', 'mcp:write', 'mcp:admin', 'mcp:profile', 'offline_access'];

/** A value as svc-lisp writes it: texts as JSON has them, maps by text. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(' ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return value === null
    ? 'nil'
    : `{${Object.entries(value)
        .map(([key, member]) => `${JSON.stringify(key)} ${literal(member)}`)
        .join(' ')}}`;
}

function programOf(calls: readonly PlannedCall[]): string {
  const made = calls.map(({ arguments: input }, at) => `(tool/call-${at} ${literal(input)})`);
  return `(mapv (fn [answer] (get answer :details (get answer :status))) [${made.join(' ')}])`;
}

function roomOf(calls: readonly PlannedCall[], transport: Members): ToolRoom {
  return new ToolRoom({
    script: { steps: [] },
    installation: { transport: { type: 'streamable_http', ...transport } },
    tools: Object.fromEntries(calls.map(({ tool }, at) => [tool, { as: `call-${at}`, effect: 'read' }])),
    program: programOf(calls),
    host: { credentials: { key: { env: 'CLIENT_SECRET' } } },
  });
}

/** How each call ended, or what ended the run. */
function endsOf({ envelope, value }: ToolReport): string {
  const error = envelope['error'];
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return Array.isArray(value)
    ? value.map((end: unknown) => (typeof end === 'string' ? end : JSON.stringify(end))).join(' ')
    : JSON.stringify(value);
}

/** Over HTTP as it is, on literal loopback. */
async function call(calls: readonly PlannedCall[], url: string): Promise<string> {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  const room = roomOf(calls, { endpoint: address.href, allow_insecure_loopback: true });
  try {
    if (!JSON.stringify(calls).includes('$listed')) return endsOf(await room.report(await room.run()));
    const { envelope } = await room.report(await room.run(['catalog', 'desk']));
    return await call(withListed(calls, Object(envelope['result']).tools), url);
  } finally {
    room.close();
  }
}

/** Arguments with the schemas of tools in the place of their names. */
function withListed(
  calls: readonly PlannedCall[],
  tools: readonly { readonly name: string; readonly input_schema: unknown }[],
): readonly PlannedCall[] {
  const schemaOf = (name: unknown): unknown => tools.find((tool) => tool.name === name)?.input_schema;
  return JSON.parse(JSON.stringify(calls), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$listed' in value ? schemaOf(value.$listed) : value,
  );
}

/** Over TLS, with a person at a browser who agrees once, before the calls, or anew where a call was refused. */
async function callAuthorised(
  calls: readonly PlannedCall[],
  { path = '', client, wantsRefresh = false, stepsUp = false }: PlannedAuthorisation,
  { url, context }: Scenario,
): Promise<string> {
  const front = await tlsFront(url);
  const oauth = {
    installation_id: 'one',
    issuer: `${front.issuer}${path}`,
    scope_ceiling: SCOPES,
    refresh_access: wantsRefresh ? 'when_supported' : 'none',
    network: { private_network_origins: [front.resource, front.issuer] },
    client: client === 'context' ? clientOf(context) : (client ?? { registration: 'dynamic' }),
  };
  const room = roomOf(calls, { endpoint: `${front.resource}${new URL(url).pathname}`, oauth });
  const environment = {
    SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem'),
    SVC_GRANTS_DIR: join(room.directory, 'grants'),
    CLIENT_SECRET: String(context['client_secret']),
  };
  try {
    const ends: string[] = [];
    for (let turn = 0; turn < (stepsUp ? 2 : 1); turn += 1) {
      const refusal = await logIn(room, environment);
      if (refusal !== null) return refusal;
      rmSync(join(room.directory, 'envelope.json'), { force: true });
      ends.push(endsOf(await room.report(await room.run(['run', 'svc.json'], environment))));
    }
    return ends.join(' ');
  } finally {
    room.close();
    await front.close();
  }
}

function clientOf(context: Members): Members {
  return {
    registration: 'pre_registered',
    auth_method: 'client_secret_basic',
    client_id: context['client_id'],
    client_secret_binding: 'key',
    grant_types: ['authorization_code'],
    loopback_redirect: { host: '127.0.0.1', path: '/back' },
  };
}

/** Null once the user is signed in, else the code that says why not. */
async function logIn({ directory }: ToolRoom, environment: Readonly<Record<string, string>>): Promise<string | null> {
  const { status, stderr } = await logInAs({ argv: ['desk'], directory, environment }, async (address) =>
    visit(await agree(address)).catch(() => undefined),
  );
  return status === 0 ? null : (/error: [a-z_]+\/([a-z_]+)/.exec(stderr)?.[1] ?? stderr);
}

/**
 * Calls that the scenario asks for. What is null is left out: its schemas do not admit null, and such calls are not
 * sent.
 */
function contextCalls(context: Members): readonly PlannedCall[] {
  const calls: readonly { readonly name: string; readonly arguments: Members }[] = Object(context['toolCalls']);
  return calls.map((one) => ({
    tool: one.name,
    arguments: Object.fromEntries(Object.entries(one.arguments).filter(([, value]) => value !== null)),
  }));
}

/** Has the program under test do what a plan says; how each call ended, or the code that ended the run. */
export async function follow({ calls: planned, oauth }: Plan, scenario: Scenario): Promise<string> {
  const calls = planned === 'context' ? contextCalls(scenario.context) : planned;
  return oauth === undefined ? call(calls, scenario.url) : callAuthorised(calls, oauth, scenario);
}
