/** Four servers that people use, a browser among them, and the official client over all of them (code-mode.md §9). */
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeWhere } from '../../../conformance/left-out.ts';
import { listen } from '../../../conformance/servers/http/listen.ts';
import { until } from '../../../conformance/until.ts';
import { SVC } from './client.ts';
import { Folder } from './folder.ts';
import { descendantsOf, ended } from './processes.ts';

/** Where the Debian package puts it; another one where that is named. */
const BROWSER = process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium';
const PAGE = '<title>Prices</title><h1>Prices</h1><p>Apples cost 3 crowns today.</p>';

/** As a client's file has it; the program of a package is found in its description. */
function packaged(name: string, ...args: readonly string[]): object {
  const folder = resolve('node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = typeof bin === 'string' ? bin : Object.values(Object(bin))[0];
  return { command: process.execPath, args: [join(folder, String(script)), ...args] };
}

describeWhere(
  { isMet: existsSync(BROWSER), what: 'Chromium (Debian package chromium)' },
  'svc code, four servers of one .mcp.json',
  () => {
    const folder = new Folder();

    it('one program reads a page, writes what it says to a file, and remembers it', async () => {
      const site = await listen({}, async ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      });
      const files = join(folder.path, 'files');
      mkdirSync(files);
      const imports = folder.imports({
        everything: packaged('@modelcontextprotocol/server-everything'),
        filesystem: packaged('@modelcontextprotocol/server-filesystem', files),
        memory: {
          ...packaged('@modelcontextprotocol/server-memory'),
          env: { MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl') },
        },
        playwright: packaged(
          '@playwright/mcp',
          '--headless',
          '--no-sandbox',
          '--isolated',
          '--executable-path',
          BROWSER,
        ),
      });
      const transport = new StdioClientTransport({
        command: SVC,
        args: ['code', '--import', imports, '--approvals', 'off'],
        cwd: folder.path,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
        stderr: 'ignore',
      });
      const client = new OfficialClient({ name: 'test', version: '1' });
      await client.connect(transport);
      const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
        const { structuredContent, content } = await client.callTool({ name, arguments: input });
        if (structuredContent === undefined) throw new Error(JSON.stringify(content));
        return Object(structuredContent);
      };
      let pids: readonly number[] = [];
      try {
        await until('all four are there', async () => {
          const { unready } = await call('search', { query: '' });
          return unready === undefined || JSON.stringify(unready) === '[]' ? true : undefined;
        });
        const found = await call('search', { query: 'navigate the browser to a url', in: 'tools', limit: 1 });
        expect(found).to.have.nested.property('hits[0].name', 'playwright.browser-navigate');
        const program = `
          (tool!/playwright.browser-navigate {:url ${JSON.stringify(site.url)}})
          (let [page (str (:value (tool!/playwright.browser-snapshot {})))
                said (re-find #"Apples cost \\d+ crowns" page)
                path ${JSON.stringify(join(files, 'prices.txt'))}]
            (tool!/filesystem.write-file {:path path :content said})
            (tool!/memory.create-entities {:entities [{:name "apples" :entityType "fruit" :observations [said]}]})
            [said
             (get-in (tool!/filesystem.read-text-file {:path path}) [:value "content"])
             (get-in (tool!/memory.read-graph {}) [:value "entities" 0 "observations" 0])
             (:status (tool!/everything.echo {:message said}))])`;
        const answer = await call('run', { program });
        const said = 'Apples cost 3 crowns';
        expect(answer['value'], JSON.stringify(answer)).to.deep.equal([said, said, said, 'ok']);
        expect(readFileSync(join(files, 'prices.txt'), 'utf8')).to.equal(said);
        expect(readFileSync(join(folder.path, 'memory.jsonl'), 'utf8')).to.include(said);
        pids = descendantsOf(transport.pid ?? 0);
        // The four, and the processes of the browser.
        expect(pids).to.have.lengthOf.at.least(6);
      } finally {
        await client.close();
        await site.close();
      }
      expect(await ended(pids)).to.deep.equal([]);
    });
  },
);
