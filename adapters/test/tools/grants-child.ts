/**
 * A program that embeds svc and keeps what its people grant: `node grants-child.ts SCENE` plays one scene between a
 * server of tools and its authority and prints what came of it as JSON.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HttpAction, HttpStep } from '../../../conformance/servers/mcp-http/script.ts';
import { startToolServer } from '../../../conformance/servers/mcp-http/server.ts';
import { agree } from '../../../conformance/servers/oauth/robot.ts';
import { startAuthority, type Authority, type AuthorityScript } from '../../../conformance/servers/oauth/server.ts';
import { DISCOVERED, LOOK_UP, TERMS, textResult } from '../../../conformance/tools/room.ts';
import {
  openDirectoryGrants,
  openDirectorySecrets,
  type AuthorisationAnswer,
  type GrantStore,
  type PreparedApplication,
  type RunRequest,
  type Supervisor,
  type SupervisorOptions,
} from '../../../supervisor/api/supervisor.ts';
import { finished, supervise } from '../../../supervisor/test/capabilities/supervised.ts';
import { onRunner } from './on-runner.ts';

const BACK = 'https://app.example/back';
const REFUSED: HttpStep = {
  match: { hasToken: false },
  action: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
};
const STEPS: readonly HttpStep[] = [
  REFUSED,
  { match: { method: 'server/discover' }, action: { result: DISCOVERED } },
  { match: { method: 'tools/list' }, action: { result: { ...TERMS, tools: [LOOK_UP] } } },
  { match: { method: 'tools/call' }, action: { result: textResult('sunny') } },
];
const WORKFLOW =
  '(ns main) (defn run [input] (get (kernel/eval-source "desk" "(tool/look-up {:city \\"Oslo\\"})") :value))';

interface Scene {
  readonly grants: GrantStore;
  /** Path of the host document. */
  readonly host: string;
  readonly folder: string;
  readonly authority: Authority;
  readonly supervisor: (options?: SupervisorOptions) => Promise<Supervisor>;
  readonly application: (of: Supervisor) => Promise<PreparedApplication>;
}

interface Setting {
  readonly authority?: AuthorityScript;
  /** Of the block in the host document. */
  readonly client?: Readonly<Record<string, unknown>>;
  readonly refresh?: boolean;
}

async function play(
  { authority: script = {}, client = { auth_method: 'none' }, refresh = false }: Setting,
  scene: (scene: Scene) => Promise<unknown>,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-grants-'));
  const authority = await startAuthority({ script, tls: 'trusted' });
  const pages: Record<string, HttpAction> = {};
  const server = await startToolServer({ script: STEPS, pages, tls: 'trusted' });
  pages['/.well-known/oauth-protected-resource/mcp'] = {
    body: JSON.stringify({
      resource: server.url,
      authorization_servers: [authority.url],
      scopes_supported: ['read', 'offline_access'],
    }),
  };
  const oauth = {
    installation_id: 'one',
    issuer: authority.url,
    scope_ceiling: ['read', 'offline_access'],
    network: { private_network_origins: [authority.url, new URL(server.url).origin] },
    ...(refresh && { refresh_access: 'when_supported' }),
    client: {
      registration: 'pre_registered',
      client_id: 'me',
      grant_types: ['authorization_code', ...(refresh ? ['refresh_token'] : [])],
      redirect_uris: [BACK],
      ...client,
    },
  };
  const installation = {
    source: 'mcp',
    installation_revision: 'r1',
    transport: { type: 'streamable_http', endpoint: server.url, oauth },
    tools: { lookUp: { as: 'look-up', effect: 'read' } },
    ceilings: { timeout_ms: 60_000 },
  };
  const host = join(folder, 'host.json');
  writeFileSync(host, JSON.stringify({ install: { desk: installation }, credentials: { key: { env: 'NOWHERE' } } }));
  const files = new Map(
    Object.entries({
      'main.clj': WORKFLOW,
      'svc.json': JSON.stringify({
        version: 1,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { desk: { providers: ['desk'] } },
        input: { value: {} },
        providers: { mission: [{ name: 'desk' }] },
        limits: { evaluation_timeout_ms: 60_000, run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
      }),
    }).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const supervisors: Supervisor[] = [];
  try {
    const grants = openDirectoryGrants(folder);
    for (const tenant of ['a', 'b']) {
      mkdirSync(join(folder, tenant, 'keys'), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, tenant, 'keys/1'), randomBytes(32).toString('hex'), { mode: 0o600 });
    }
    return await scene({
      grants,
      host,
      folder,
      authority,
      supervisor: async (options = {}) => {
        const supervisor = await supervise({ stores: { grants }, host, ...options });
        supervisors.push(supervisor);
        return supervisor;
      },
      application: async (of) => of.prepare({ kind: 'memory', files }),
    });
  } finally {
    await Promise.all(supervisors.map(async (supervisor) => supervisor.close()));
    await Promise.all([server.close(), authority.close()]);
    rmSync(folder, { recursive: true });
  }
}

/** The value of a run, or its error. */
async function ran(
  supervisor: Supervisor,
  application: PreparedApplication,
  request: RunRequest = {},
): Promise<unknown> {
  const { value, envelope } = finished(await supervisor.run(application, request).result);
  if (envelope.status === 'ok') return value;
  const { code, phase, retryable, subject, provider_activity: activity } = envelope.error;
  return { code, phase, retryable, operation: subject?.operation, occurrence: subject?.occurrence ?? null, activity };
}

/** What becomes of an authorisation whose person agrees. */
async function agreed(authorisationAnswer: AuthorisationAnswer): Promise<unknown> {
  return authorisationAnswer.kind === 'begun'
    ? authorisationAnswer.finish(await agree(authorisationAnswer.url))
    : authorisationAnswer;
}

const ada = { installation: 'desk', redirectUri: BACK, tenant: 'a', principal: 'ada' };
const asAda = { tenant: 'a', principal: 'ada' };

/** A store of which some calls fail. */
function failing(
  store: GrantStore,
  fails: (call: 'read' | 'replace' | 'remove', count: number) => boolean,
  fail: () => Promise<never> = async () => Promise.reject(new Error('the key of the store is gone')),
): GrantStore {
  const counts = { read: 0, replace: 0, remove: 0 };
  const isFailing = (call: 'read' | 'replace' | 'remove'): boolean => {
    counts[call] += 1;
    return fails(call, counts[call]);
  };
  return {
    read: async (key) => (isFailing('read') ? fail() : store.read(key)),
    replace: async (key, generation, grant) => (isFailing('replace') ? fail() : store.replace(key, generation, grant)),
    remove: async (key, generation) => (isFailing('remove') ? fail() : store.remove(key, generation)),
  };
}

/** A client with a secret. */
const CONFIDENTIAL: Setting = {
  client: { auth_method: 'client_secret_basic', client_secret_binding: 'key' },
  authority: {
    metadata: {
      '/.well-known/oauth-authorization-server': {
        members: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      },
    },
  },
};

const SCENES: Readonly<Record<string, () => Promise<unknown>>> = {
  kept: () =>
    play({}, async ({ supervisor, application, folder }) => {
      const first = await supervisor();
      const before = await ran(first, await application(first), asAda);
      const granted = await agreed(await first.authorise(await application(first), ada));
      const own = await ran(first, await application(first), asAda);
      await first.close();
      const second = await supervisor();
      const others = [{ tenant: 'a', principal: 'bob' }, { tenant: 'b', principal: 'ada' }, { tenant: 'a' }];
      const later = await ran(second, await application(second), asAda);
      const strangers = await Promise.all(others.map(async (other) => ran(second, await application(second), other)));
      const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.parentPath.includes('/grants/'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
      return {
        before,
        granted,
        own,
        later,
        strangers,
        files: stored.length,
        isReadable: stored.some((text) => text.includes('access') || text.includes('ada')),
      };
    }),

  refreshed: () =>
    play(
      { refresh: true, authority: { tokens: [{ members: { expires_in: 1 } }] } },
      async ({ supervisor, application, authority }) => {
        const only = await supervisor();
        const granted = await agreed(await only.authorise(await application(only), ada));
        const values = await Promise.all([1, 2, 3].map(async () => ran(only, await application(only), asAda)));
        return { granted, values, forms: authority.forms.map((form) => form['grant_type']) };
      },
    ),

  confidential: () =>
    play(CONFIDENTIAL, async ({ supervisor, application }) => {
      const requested: string[] = [];
      const only = await supervisor({
        secrets: {
          resolve: async ({ tenant, binding, installation }) => {
            requested.push(`${tenant} ${binding} ${installation}`);
            return { value: 'sesame', version: '1' };
          },
        },
      });
      const granted = await agreed(await only.authorise(await application(only), ada));
      const value = await ran(only, await application(only), asAda);
      const without = await supervisor({ variables: () => ({}) });
      return { granted, value, asked: requested, without: await without.authorise(await application(without), ada) };
    }),

  unavailable: () =>
    play({}, async ({ supervisor, application, grants, authority }) => {
      const broken = await supervisor({ stores: { grants: failing(grants, () => true) } });
      const run = await ran(broken, await application(broken), asAda);
      const silent = await supervisor({
        stores: {
          grants: failing(
            grants,
            () => true,
            async () => new Promise(() => undefined),
          ),
        },
      });
      return {
        run,
        authorised: await broken.authorise(await application(broken), ada),
        silent: await ran(silent, await application(silent), asAda),
        seen: authority.requests.length,
      };
    }),

  lost: () =>
    play({}, async ({ supervisor, application, grants }) => {
      const whole = await supervisor();
      await agreed(await whole.authorise(await application(whole), ada));
      const reading = async (most: number): Promise<unknown> => {
        const failed = await supervisor({
          stores: { grants: failing(grants, (call, count) => call === 'read' && count > most) },
        });
        return ran(failed, await application(failed), asAda);
      };
      // One read before anything is opened, one for each request: discovery, list, call.
      const opening = [await reading(1), await reading(2)];
      const unwritten = await supervisor({ stores: { grants: failing(grants, (call) => call === 'replace') } });
      return {
        opening,
        call: await reading(3),
        unwritten: await agreed(await unwritten.authorise(await application(unwritten), { ...ada, principal: 'bob' })),
      };
    }),

  refused: () =>
    play({}, async ({ supervisor, application, host }) => {
      const only = await supervisor({ tenant: (id) => (id === 'nobody' ? null : {}) });
      const of = await application(only);
      const authoriseWith = async (changes: object): Promise<unknown> => only.authorise(of, { ...ada, ...changes });
      const elsewhere = await only.authorise(of, ada);
      const wrong =
        elsewhere.kind === 'begun'
          ? [await elsewhere.finish('https://app.example/elsewhere?code=1'), await elsewhere.finish(BACK)]
          : [];
      const bare = await supervise({ host });
      const withoutStore = await bare
        .authorise(await application(bare), ada)
        .catch((error: unknown) => (error instanceof TypeError ? 'TypeError' : String(error)));
      const answers = [
        await authoriseWith({ installation: 'other' }),
        await authoriseWith({ redirectUri: 'https://evil.example/back' }),
        await authoriseWith({ tenant: 'nobody' }),
        await bare.authorise(of, ada),
      ];
      await bare.close();
      await only.drain();
      answers.push(await authoriseWith({}));
      return { wrong, answers, withoutStore };
    }),

  runner: () =>
    play(CONFIDENTIAL, async ({ supervisor, application, folder }) => {
      const put = (path: string, text: string): void => {
        mkdirSync(join(folder, dirname(path)), { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, path), text, { mode: 0o600 });
      };
      put('a/secrets/key', 'sesame\n');
      put('b/secrets/key', 'of b');
      const only = await supervisor({ secrets: openDirectorySecrets(folder) });
      for (const tenant of ['a', 'b']) await agreed(await only.authorise(await application(only), { ...ada, tenant }));
      return onRunner({ folder, databaseUrl: process.argv[3] ?? '' }, async (performed) => {
        const own = await performed(asAda);
        const others = [
          await performed({ tenant: 'a', principal: 'bob' }),
          await performed({ tenant: 'b', principal: 'ada' }),
          await performed({ tenant: 'c', principal: 'ada' }),
        ];
        put('b/secrets/key', 'sesame');
        const shared = await performed({ tenant: 'b', principal: 'ada' });
        put('a/keys/2', randomBytes(32).toString('hex'));
        const rotated = await performed(asAda);
        rmSync(join(folder, 'a/keys/1'));
        const revoked = await performed(asAda);
        const anew = await agreed(await only.authorise(await application(only), ada));
        const again = await performed(asAda);
        rmSync(join(folder, 'a/secrets/key'));
        return { own, others, shared, rotated, revoked, anew, again, without: await performed(asAda) };
      });
    }),
};

const scene = SCENES[String(process.argv[2])];
if (scene === undefined) throw new Error('there is no such scene');
process.stdout.write(JSON.stringify(await scene()));
