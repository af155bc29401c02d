import { join } from 'node:path';
import { expect } from 'chai';
import { GO, logIn } from '../../../conformance/cli/log-in.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { DOCUMENT, startAuthorisedApi, userEnvironment } from '../../../conformance/openapi/authorised.ts';
import { secretHash, type LoggedRequest } from '../../../conformance/servers/http/log.ts';
import { browse, startRealAuthority, type RealAuthority } from '../../../conformance/servers/oauth/real.ts';
import { startAuthorisedServer } from '../../../conformance/tools/authorised.ts';
import { messagesOf, modern, startTestGateway } from './gateway.ts';

const WORKFLOW =
  '(ns main)\n(defn run [input] {:value (str (get (kernel/eval-source "desk" (get input "value")) :value))})\n';

/** What a user authorised, as a gateway has it. */
interface Authorised {
  readonly authority: RealAuthority;
  readonly server: { readonly requests: readonly LoggedRequest[] };
  readonly installation: Readonly<Record<string, unknown>>;
  /** Of one tool, and a program that calls it. */
  readonly tool: string;
  readonly program: string;
  readonly close: () => Promise<void>;
}

const KINDS: Readonly<Record<string, () => Promise<Authorised>>> = {
  'an API': async () => {
    const { authority, server, installation, close } = await startAuthorisedApi();
    return {
      authority,
      server,
      installation: {
        source: 'openapi',
        document: { path: 'api.json' },
        tools: { listIssues: { as: 'list-issues', effect: 'read' } },
        ...installation,
      },
      tool: 'list-issues',
      program: '(:status (tool/list-issues {}))',
      close,
    };
  },
  'a server of tools': async () => {
    const authority = await startRealAuthority();
    const { server, installation, close } = await startAuthorisedServer(authority);
    return {
      authority,
      server,
      installation: { source: 'mcp', tools: { lookUp: { as: 'look-up', effect: 'read' } }, ...installation },
      tool: 'look-up',
      program: '(:status (tool/look-up {:city "Oslo"}))',
      close,
    };
  },
};

describe('a gateway whose user signed in before (world.md §2.5)', () => {
  for (const [kind, open] of Object.entries(KINDS)) {
    it(`asks ${kind} with what was granted, renews it, and asks nobody`, async () => {
      const { authority, server, installation, tool, program, close } = await open();
      const home = makeWorkDirectory({});
      const environment = userEnvironment(home);
      let tokensBefore = 0;
      try {
        // Up to the pins a token lasts a second, which is over for all that comes after; the gateway has to renew it.
        const gateway = await startTestGateway(
          {
            environment,
            beforePins: async (directory) => {
              authority.lifetime = 1;
              const argv = ['desk', '--host-config', join(directory, 'host.json')];
              const { status, stderr } = await logIn({ argv, directory, environment }, browse);
              expect(status, stderr).to.equal(0);
            },
            files: { 'api.json': DOCUMENT },
            install: {
              desk: { installation_revision: 'r1', ceilings: { timeout_ms: 60_000 }, ...installation },
            },
            tools: {
              ask: {
                program: WORKFLOW,
                manifest: {
                  workflow: {
                    components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
                    entry: 'main/run',
                  },
                  missions: { desk: { providers: ['desk'] } },
                  providers: { mission: [{ name: 'desk', config: { allow: [tool] } }] },
                  limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000, evaluation_timeout_ms: 60_000 },
                },
              },
            },
          },
          [],
          () => {
            authority.lifetime = 3600;
            tokensBefore = authority.tokenRequests.length;
          },
          environment,
        );
        const ask = async (): Promise<unknown> =>
          (
            await messagesOf(
              await fetch(gateway.url, modern('tools/call', { name: 'ask', arguments: { value: program } })),
            )
          ).at(-1);
        const answers = [await ask(), await ask()];
        const { stderr } = await gateway.stop();
        expect(
          answers.map((answer) => Object(answer).result?.structuredContent?.value),
          stderr,
        ).to.deep.equal(['ok', 'ok']);
        expect(stderr).not.to.match(GO);
        expect(authority.tokenRequests.filter((kind) => kind !== 'refresh_token')).to.deep.equal([
          'authorization_code',
        ]);
        expect(authority.tokenRequests.slice(tokensBefore)).to.deep.equal(['refresh_token']);
        const issued = new Set([...authority.accessTokens].map((token) => secretHash(`Bearer ${token}`)));
        const used = server.requests.flatMap(({ headers }) => headers['authorization'] ?? []);
        expect(used).to.have.length.above(1);
        expect(used.filter((hash) => !issued.has(hash))).to.deep.equal([]);
      } finally {
        removeWorkDirectory(home);
        await close();
      }
    });
  }
});
