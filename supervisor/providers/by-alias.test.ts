import { expect } from 'chai';
import { load, MANIFEST } from '../documents/testing/application-tree.ts';
import { host, STDIO } from '../documents/testing/hosts.ts';
import { defineCustomInstallation } from './custom/define.ts';

const installation = (alias: string) =>
  defineCustomInstallation({
    alias,
    revision: 'r1',
    destinations: ['workflow'],
    capabilities: [{ name: 'work', description: 'W.', inputSchema: true, effect: 'read', call: () => 1 }],
  });

describe('aliases of the calling program (documents.md §7)', () => {
  const selecting = { ...MANIFEST, providers: { workflow: [{ name: 'tools' }] } };

  it('are selected beside those of the host', async () => {
    const loaded = await load({
      manifest: selecting,
      host: host({ server: STDIO }),
      options: { custom: [installation('tools')] },
    });
    expect(
      loaded.ok && loaded.value.providers.workflow.map(({ alias, provider }) => [alias, provider.source]),
    ).to.deep.equal([['tools', 'custom']]);
  });

  it('are none of the host document', async () => {
    const loaded = await load({
      manifest: selecting,
      host: host({ tools: STDIO }),
      options: { custom: [installation('tools')] },
    });
    expect(loaded).to.have.nested.property('diagnostic.code', 'host_invalid');
  });

  it('are given once: anything else is a mistake of the program', async () => {
    const twice = load({ manifest: selecting, options: { custom: [installation('tools'), installation('tools')] } });
    const error: unknown = await twice.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError);
  });
});
