/** Catalogues of imported servers that no document was written for (code-mode.md §3). */
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

/** Until tools are found, which are slow to start on a machine that does much else. */
async function found(client: Client, name: string): Promise<void> {
  for (;;) {
    const described = await client.tool('describe', { names: [name] });
    if (!textOf(described).includes('"unknown":true')) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

describe('svc code, tools of imported servers', () => {
  const folder = new Folder();

  it('tools of any name are called by one, numbered where it is taken; the upstream name finds them (21)', async () => {
    const upstream = ['getUser', 'get_user', 'drive.list', 'notion/pages:create', '日本', 'x'.repeat(128)];
    const names = folder.write('names.json', JSON.stringify(upstream));
    const file = folder.imports({ hub: toolServer(['--names', names]) });
    const client = new Client(folder.path, ['--import', file, '--approvals', 'off']);
    await found(client, 'hub.get-user');
    const called = await client.run(
      '(mapv #(get-in (%1 {}) [:value "text" 0]) [tool/hub.get-user tool/hub.get-user-2 tool/hub.drive.list ' +
        'tool/hub.notion-pages-create tool/hub.tool])',
    );
    const { value }: { readonly value?: readonly string[] } = Object(called['structuredContent']);
    expect(value?.map((text): unknown => JSON.parse(text))).to.deep.equal(
      ['getUser', 'get_user', 'drive.list', 'notion/pages:create', '日本'].map((tool) => ({ tool, given: {} })),
    );
    expect(await client.tool('search', { query: 'notion/pages:create', limit: 1 })).to.have.nested.property(
      'structuredContent.hits[0].name',
      'hub.notion-pages-create',
    );
    expect(await client.tool('search', { query: '日本', limit: 1 })).to.have.nested.property(
      'structuredContent.hits[0].name',
      'hub.tool',
    );
    expect(await client.run(`(:status (tool/hub.${'x'.repeat(124)} {}))`)).to.have.nested.property(
      'structuredContent.value',
      'ok',
    );
    expect(await client.end()).to.equal(0);
  });

  it('of 546 tools the first 512 are offered, and the others are counted and told of (22)', async () => {
    const upstream = Array.from({ length: 546 }, (_, at) => `tool_${`${at}`.padStart(3, '0')}`);
    const names = folder.write('names.json', JSON.stringify(upstream));
    const file = folder.imports({ hub: toolServer(['--names', names]) });
    const client = new Client(folder.path, ['--import', file, '--approvals', 'off']);
    await found(client, 'hub.tool-511');
    const { structuredContent } = await client.tool('search', { query: '' });
    expect(structuredContent).to.deep.include({
      hits: [{ name: 'hub', kind: 'server', count: 512, left_out: 34 }],
      total: 512,
    });
    expect(client.stderr).to.match(/hub: 34 of its tools are left out/);
    expect(textOf(await client.run('(tool/hub.tool-512 {})'))).to.match(/^unknown_tool: /);
    expect(await client.run('(:status (tool/hub.tool-511 {}))')).to.have.nested.property(
      'structuredContent.value',
      'ok',
    );
    expect(await client.end()).to.equal(0);
  });

  it('of all servers the first 2048 tools are offered, and a trace has the digest of their lists', async () => {
    const names = folder.write('names.json', JSON.stringify(Array.from({ length: 512 }, (_, at) => `t${at}`)));
    const servers = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, toolServer(['--names', names])]));
    const client = new Client(folder.path, [
      '--import',
      folder.imports(servers),
      '--approvals',
      'off',
      '--artifacts',
      join(folder.path, 'evidence'),
    ]);
    for (const name of ['a', 'b', 'c', 'd']) await found(client, `${name}.t1`);
    await client.stderrHas(/e: 512 of its tools are left out/);
    const { structuredContent } = await client.tool('search', { query: '' });
    expect(structuredContent).to.deep.include({ total: 2048 });
    // 480 tools of one run may be called, and of each as often as one likes (61).
    const program =
      `(let [answers (mapv #(% {}) [${Array.from({ length: 481 }, (_, at) => `tool/b.t${at}`).join(' ')}])] ` +
      '[(count (filter #(= :ok (:status %)) answers)) (mapv :reason (remove #(= :ok (:status %)) answers)) ' +
      '(:status (tool/b.t0 {}))])';
    const called = await client.run(program);
    expect(textOf(called)).to.include('capability_quota');
    expect(called)
      .to.have.nested.property('structuredContent.value')
      .that.deep.equals([480, ['capability_quota'], 'ok']);
    expect(await client.end()).to.equal(0);
    const [trace = ''] = readdirSync(join(folder.path, 'evidence/traces'));
    const [first = ''] = readFileSync(join(folder.path, 'evidence/traces', trace), 'utf8').split('\n');
    const { data }: { readonly data: { readonly connector_snapshots: readonly { readonly acquisition: object }[] } } =
      JSON.parse(first);
    expect(Buffer.byteLength(JSON.stringify(data.connector_snapshots))).to.be.at.most(262_144);
    const short = data.connector_snapshots.filter(({ acquisition }) => 'tools_hash' in acquisition);
    expect(short.length).to.be.at.least(1);
    expect(short[0]?.acquisition).to.include({ tool_count: 512 }).and.not.to.have.property('tools');
  });

  it('a catalogue of more than a megabyte, with descriptions beyond any bound, is read (23)', async () => {
    const names = folder.write('names.json', JSON.stringify(Array.from({ length: 300 }, (_, at) => `t${at}`)));
    const file = folder.imports({ hub: toolServer(['--names', names, '--description', '5000']) });
    const client = new Client(folder.path, ['--import', file]);
    await found(client, 'hub.t299');
    const hits = await client.tool('search', { query: 'tests', limit: 50 });
    expect(Buffer.byteLength(JSON.stringify(hits['structuredContent']))).to.be.at.most(6144);
    expect(hits).to.have.nested.property('structuredContent.total', 300);
    expect(await client.end()).to.equal(0);
  });
});
