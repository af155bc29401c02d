import {
  CLIENT,
  serverAdapter,
  serverThreads,
  type OwnedOAuth,
  type ServerDeclaration,
  type ServerThreads,
} from '../../pool/servers.ts';
import { agree } from '../../../conformance/servers/oauth/robot.ts';
import type { PlannedAuthorisation, PlannedCall } from './plans.ts';

export interface EmbeddedCalls {
  readonly url: string;
  readonly calls: readonly PlannedCall[];
  readonly oauth: PlannedAuthorisation;
  /** What the scenario tells its client. */
  readonly context: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
}

const REDIRECT = 'https://app.example/back';
const TIMEOUT_MS = 60_000;

/** Calls tools as a program that embeds svc does, whose people come back to an address of its own. */
export async function callEmbedded({ url, calls, oauth, context, scopes }: EmbeddedCalls): Promise<string> {
  const secret = oauth.secret === undefined ? null : (context['client_secret'] ?? oauth.secret);
  const owned = await ownedOAuth(url, context['client_id'] ?? 'registered-by-an-operator', secret, scopes);
  const threads = serverThreads();
  try {
    const ends: string[] = [];
    for (let turn = 0; turn < (oauth.stepsUp === true ? 2 : 1); turn += 1) {
      const refused = await authorise(threads, owned, secret);
      if (refused !== null) return refused;
      ends.push(...(await called(threads, { url, owned, calls })));
    }
    return ends.join(' ');
  } finally {
    await threads.close();
  }
}

/** The issuer is the one that the server names to whoever operates its client. */
async function ownedOAuth(
  resource: string,
  id: string,
  secret: string | null,
  scopeCeiling: readonly string[],
): Promise<OwnedOAuth> {
  const { origin, pathname } = new URL(resource);
  const metadata: { readonly authorization_servers: readonly [string] } = JSON.parse(
    await (await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).text(),
  );
  const [issuer] = metadata.authorization_servers;
  return {
    tenant: 'tenant',
    principal: 'person',
    declaration: {
      installationId: 'one',
      issuer,
      resource,
      scopeCeiling,
      defaultScopes: ['mcp:basic'],
      wantsRefresh: false,
      authorizationTimeoutMs: TIMEOUT_MS,
      unknownExpiryTtlMs: TIMEOUT_MS,
      additionalOrigins: [],
      privateOrigins: [origin, new URL(issuer).origin],
      fingerprint: 'one',
      client: {
        id,
        isDescribedAtId: false,
        secret: secret === null ? null : 'key',
        loopback: null,
        redirectUris: [REDIRECT],
      },
    },
  };
}

/** Null once it is authorised, else why it is not. */
async function authorise(threads: ServerThreads, owned: OwnedOAuth, secret: string | null): Promise<string | null> {
  const { remote } = threads.network();
  const begun = await remote.beginAuthorisation(owned, CLIENT, { redirectUri: REDIRECT, secret });
  if (!begun.ok) return begun.code;
  const finished = await remote.finishAuthorisation(begun.flow, await agree(begun.url));
  return finished.ok ? null : finished.code;
}

async function called(
  threads: ServerThreads,
  { url, owned, calls }: { readonly url: string; readonly owned: OwnedOAuth; readonly calls: readonly PlannedCall[] },
): Promise<readonly string[]> {
  const declaration: ServerDeclaration = {
    transport: { type: 'streamable_http', endpoint: url, auth: [], oauth: owned },
    tools: {
      rows: calls.map(({ tool }) => ({
        upstream: tool,
        as: tool,
        effect: 'read',
        description: null,
        errorFeedback: 'closed',
        isModelVisible: false,
        inspectionCapture: 'full',
      })),
      rest: null,
    },
    snapshotIdentity: null,
    maxCatalogTools: 128,
    timeoutMs: TIMEOUT_MS,
    maxResultBytes: 10_000,
  };
  const limits = { argumentBytes: 1000, resultBytes: 10_000, heapWords: 5_000_000, evaluationTimeoutMs: TIMEOUT_MS };
  const acquired = await serverAdapter(threads, CLIENT).acquire(
    { alias: 'desk', declaration, traceId: 'run', limits },
    { credentials: new Map(), dependencies: [], signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
  if (!acquired.ok) return [acquired.refusal.code];
  const { session } = acquired;
  const ends: string[] = [];
  for (const { tool, arguments: given } of calls) {
    const request = {
      capabilityId: tool,
      name: tool,
      arguments: JSON.stringify(given),
      deadlineMs: TIMEOUT_MS,
      resultBytes: 10_000,
      model: null,
      keepsExchanges: false,
    };
    const { outcome } = await session.serve(request, { openGate: async () => true }).answer;
    ends.push(
      outcome.kind === 'value' ? 'ok' : outcome.kind === 'error' ? (outcome.details ?? outcome.reason) : outcome.kind,
    );
  }
  await session.close();
  return ends;
}
