import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { createServer, request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { Provider } from 'oidc-provider';
import { CERTIFICATES } from '../http/listen.ts';

/** An authorisation server that nobody here wrote, over TLS on loopback. */
export interface RealAuthority {
  readonly issuer: string;
  /** What came to the token endpoint, as `grant_type`, in order. */
  readonly tokenRequests: readonly string[];
  /** Those that it gave out to ask servers with. */
  readonly accessTokens: ReadonlySet<string>;
  /** Clients that registered themselves, and tokens that were given back. */
  readonly counts: { readonly registrations: number; readonly revocations: number };
  /** Seconds that the next tokens last. */
  lifetime: number;
  close(): Promise<void>;
}

/** Grants the scope `read` to whoever signs in; clients register themselves, and one is known as `me`. */
export async function startRealAuthority(): Promise<RealAuthority> {
  const pem = await readFile(join(CERTIFICATES, 'trusted.pem'), 'utf8');
  const https = createServer({ cert: pem, key: pem });
  https.listen(0, '127.0.0.1');
  await once(https, 'listening');
  const address = https.address();
  const issuer = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const tokenRequests: string[] = [];
  const accessTokens = new Set<string>();
  const counts = { registrations: 0, revocations: 0 };
  const state = { lifetime: 60 };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'me',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: ['http://127.0.0.1/back'],
      },
    ],
    scopes: ['openid', 'offline_access', 'read'],
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'read', accessTokenTTL: state.lifetime }),
      },
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
  });
  provider.on('grant.success', ({ oidc }) => tokenRequests.push(String(oidc.params?.['grant_type'])));
  provider.on('registration_create.success', () => {
    counts.registrations += 1;
  });
  // What is no JWT is known by its number alone.
  provider.on('access_token.saved', ({ jti }) => accessTokens.add(jti));
  const serve = provider.callback();
  https.on('request', (request, response) => {
    if (request.url?.startsWith('/token/revocation') === true) counts.revocations += 1;
    void serve(request, response);
  });
  return {
    issuer,
    tokenRequests,
    accessTokens,
    counts,
    get lifetime() {
      return state.lifetime;
    },
    set lifetime(seconds) {
      state.lifetime = seconds;
    },
    close: async () => {
      https.close();
      https.closeAllConnections();
      await once(https, 'close');
    },
  };
}

const STEPS_MAX = 20;

/** A person with a browser: keeps cookies, follows where it is sent, and fills in every form. */
export async function browse(address: string): Promise<{ readonly status: number; readonly text: string }> {
  const ca = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly form: string | null } = { url: address, form: null };
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { url, form } = next;
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = {
      method: form === null ? 'GET' : 'POST',
      headers: url.startsWith('https:') ? headers : {},
      agent: false,
    };
    const sent = url.startsWith('https:') ? secureRequest(url, { ...options, ca }) : plainRequest(url, options);
    sent.end(form ?? undefined);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response ?? []) text += String(chunk);
    for (const cookie of response?.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const { location } = response?.headers ?? {};
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    if (location !== undefined) next = { url: new URL(location, url).href, form: null };
    else if (action !== undefined)
      next = { url: new URL(action.replaceAll('&amp;', '&'), url).href, form: filledIn(text) };
    else return { status: response?.statusCode ?? 0, text };
  }
  throw new Error('nobody is ever sent back');
}

function filledIn(page: string): string {
  const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  return new URLSearchParams([...hidden, ['login', 'somebody'], ['password', 'anything']]).toString();
}
