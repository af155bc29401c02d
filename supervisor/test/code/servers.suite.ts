/** Servers that people use, and the official clients, through one session (code-mode.md §9). */
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, SVC, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

function packaged(name: string, ...args: readonly string[]): object {
  const folder = resolve('node_modules/@modelcontextprotocol', name);
  const { bin }: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const [script = ''] = Object.values(bin);
  return { command: process.execPath, args: [join(folder, script), ...args] };
}

describe('svc code, servers and clients that people use', () => {
  const folder = new Folder();

  it('one program does a task across three servers of one .mcp.json', async () => {
    const files = join(folder.path, 'files');
    mkdirSync(files);
    const servers = {
      everything: packaged('server-everything'),
      filesystem: packaged('server-filesystem', files),
      memory: { ...packaged('server-memory'), env: { MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl') } },
    };
    const client = new Client(folder.path, ['--import', folder.imports(servers), '--approvals', 'off']);
    for (const name of ['everything.echo', 'filesystem.write-file', 'memory.create-entities'])
      for (;;) {
        if (!textOf(await client.tool('describe', { names: [name] })).includes('"unknown":true')) break;
        await wait(200);
      }
    const found = await client.tool('search', { query: 'create entities in the knowledge graph', limit: 1 });
    expect(found).to.have.nested.property('structuredContent.hits[0].name', 'memory.create-entities');
    const program = `
      (let [said (get-in (tool!/everything.echo {:message "hello"}) [:value "text" 0])
            path ${JSON.stringify(join(files, 'said.txt'))}]
        (tool!/filesystem.write-file {:path path :content said})
        (tool!/memory.create-entities {:entities [{:name "note" :entityType "file" :observations [said]}]})
        (let [graph (:value (tool!/memory.read-graph {}))
              text (:value (tool!/filesystem.read-text-file {:path path}))]
          [said (get-in graph ["entities" 0 "observations" 0]) (get text "content")]))`;
    const answer = await client.run(program);
    expect(textOf(answer)).to.include('Echo: hello');
    expect(answer)
      .to.have.nested.property('structuredContent.value')
      .that.deep.equals(['Echo: hello', 'Echo: hello', 'Echo: hello']);
    expect(readFileSync(join(files, 'said.txt'), 'utf8')).to.equal('Echo: hello');
    expect(await client.end()).to.equal(0);
  });

  it('the official client lists and calls the three tools (1)', async () => {
    const client = new OlderClient({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: SVC,
        args: ['code', '--import', folder.imports({ hub: toolServer() }), '--approvals', 'off'],
        cwd: folder.path,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
        stderr: 'ignore',
      }),
    );
    try {
      expect(client.getInstructions()).to.match(/Search first/);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(['search', 'describe', 'run']);
      const progress: number[] = [];
      const result = await client.callTool({ name: 'run', arguments: { program: '(+ 1 2)' } }, undefined, {
        onprogress: ({ progress: count }) => progress.push(count),
      });
      expect(result['structuredContent']).to.deep.include({ status: 'ok', value: 3 });
      const failed = await client.callTool({ name: 'run', arguments: { program: '(nope)' } });
      expect(failed['isError']).to.equal(true);
    } finally {
      await client.close();
    }
  });
});
