import { expect } from 'chai';
import { GO, logIn } from '../../../conformance/cli/log-in.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { userEnvironment } from '../../../conformance/openapi/authorised.ts';
import { browse, startRealAuthority } from '../../../conformance/servers/oauth/real.ts';
import { startAuthorisedServer } from '../../../conformance/tools/authorised.ts';
import { Client, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

describe('svc code, servers that a user signed in to (world.md §2.5)', () => {
  const folder = new Folder();

  it('are asked with what was granted, which is renewed, and nobody is asked', async () => {
    const authority = await startRealAuthority();
    const { installation, close } = await startAuthorisedServer(authority);
    const home = makeWorkDirectory({});
    const environment = userEnvironment(home);
    folder.write('main.clj', '(ns main)\n(defn run [input] input)\n');
    folder.write(
      'svc.json',
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: { desk: { providers: ['desk'] } },
        providers: { mission: [{ name: 'desk', config: { allow: ['look-up'] } }] },
        input: { value: {} },
      }),
    );
    const host = folder.write(
      'svc-host.json',
      JSON.stringify({
        install: {
          desk: {
            source: 'mcp',
            installation_revision: 'r1',
            tools: { lookUp: { as: 'look-up', effect: 'read' } },
            ...installation,
          },
        },
      }),
    );
    try {
      // What was granted is over when the session begins: it has to be renewed.
      authority.lifetime = 1;
      const login = await logIn({ argv: ['desk', '--host-config', host], directory: folder.path, environment }, browse);
      expect(login.status, login.stderr).to.equal(0);
      authority.lifetime = 3600;
      const client = new Client(folder.path, ['svc.json', '--host-config', host], environment);
      // The first search waits for servers that are starting.
      await client.tool('search', { query: 'look up' });
      const program = '(:value (tool!/look-up {:city "Oslo"}))';
      const answers = [await client.run(program), await client.run(program)];
      expect(await client.end()).to.equal(0);
      for (const answer of answers) expect(textOf(answer), client.stderr).to.include('sunny');
      expect(client.stderr).not.to.match(GO);
      expect(authority.tokenRequests).to.deep.equal(['authorization_code', 'refresh_token']);
    } finally {
      removeWorkDirectory(home);
      await close();
    }
  });

  it('are unready in a client file, where nothing was granted; the others serve', async () => {
    const authority = await startRealAuthority();
    const { server, close } = await startAuthorisedServer(authority);
    const home = makeWorkDirectory({});
    try {
      const imports = folder.imports({ desk: { type: 'http', url: server.url }, hub: toolServer() });
      const client = new Client(folder.path, ['--import', imports, '--approvals', 'off'], userEnvironment(home));
      const { structuredContent } = await client.tool('search', { query: 'echo' });
      const unready: readonly { readonly server: string; readonly reason: string }[] =
        Object(structuredContent).unready;
      expect(await client.end()).to.equal(0);
      expect(unready.map((each) => each.server)).to.deep.equal(['desk']);
      expect(unready[0]?.reason).to.equal('explicit provider authorization is required');
      expect(authority.tokenRequests).to.deep.equal([]);
    } finally {
      removeWorkDirectory(home);
      await close();
    }
  });
});
