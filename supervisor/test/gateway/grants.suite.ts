import { join } from 'node:path';
import { expect } from 'chai';
import { GO, logIn } from '../../../conformance/cli/log-in.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { DOCUMENT, startAuthorisedApi, userEnvironment } from '../../../conformance/openapi/authorised.ts';
import { browse } from '../../../conformance/servers/oauth/real.ts';
import { messagesOf, modern, startTestGateway } from './gateway.ts';

const WORKFLOW =
  '(ns main)\n(defn run [input] {:value (str (get (kernel/eval-source "desk" (get input "value")) :value))})\n';

describe('a gateway whose user signed in before (world.md §2.5)', () => {
  it('uses what was granted, renews it, and asks nobody', async () => {
    const api = await startAuthorisedApi();
    const home = makeWorkDirectory({});
    const environment = userEnvironment(home);
    try {
      // The pins are read with a token that lasts; the gateway has to ask for another.
      const gateway = await startTestGateway(
        {
          environment,
          beforePins: async (directory) => {
            api.authority.lifetime = 1;
            const argv = ['api', '--host-config', join(directory, 'host.json')];
            const { status, stderr } = await logIn({ argv, directory, environment }, browse);
            expect(status, stderr).to.equal(0);
          },
          files: { 'api.json': DOCUMENT },
          install: {
            api: {
              source: 'openapi',
              installation_revision: 'r1',
              document: { path: 'api.json' },
              tools: { listIssues: { as: 'list-issues', effect: 'read' } },
              ceilings: { timeout_ms: 60_000 },
              ...api.installation,
            },
          },
          tools: {
            ask: {
              program: WORKFLOW,
              manifest: {
                workflow: {
                  components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
                  entry: 'main/run',
                },
                missions: { desk: { providers: ['api'] } },
                providers: { mission: [{ name: 'api', config: { allow: ['list-issues'] } }] },
                limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000, evaluation_timeout_ms: 60_000 },
              },
            },
          },
        },
        [],
        () => {
          api.authority.lifetime = 3600;
        },
        environment,
      );
      const ask = async (program: string): Promise<unknown> =>
        (
          await messagesOf(
            await fetch(gateway.url, modern('tools/call', { name: 'ask', arguments: { value: program } })),
          )
        ).at(-1);
      const program = '(:status (tool/list-issues {}))';
      const answers = [await ask(program), await ask(program)];
      const { stderr } = await gateway.stop();
      expect(
        answers.map((answer) => Object(answer).result?.structuredContent?.value),
        stderr,
      ).to.deep.equal(['ok', 'ok']);
      expect(stderr).not.to.match(GO);
      expect(api.authority.tokenRequests).to.deep.equal(['authorization_code', 'refresh_token']);
    } finally {
      removeWorkDirectory(home);
      await api.close();
    }
  });
});
