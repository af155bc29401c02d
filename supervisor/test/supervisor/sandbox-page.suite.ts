/** The examples of docs/guides/sandbox.md and of the README, as the packed package runs them (code-mode.md §6). */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from './installed-package.ts';

const root = join(import.meta.dirname, '../../..');

function exampleOf(page: string, kind: string): string {
  const [, example] =
    new RegExp(`\`\`\`js ${kind}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (example === undefined) throw new Error(`${page} has no example ${kind}`);
  return example;
}

const PROGRAM = '(reduce + (map #(get % "total") (:value (tool/list-orders {:customer "ada"}))))';

/** A model of the SDK's own tests: it writes the program, then says what it was shown. */
const modelOf = (mock: string, wordOf: (word: string) => string, usage: object): string => `
import { ${mock} } from 'ai/test';
const model = new ${mock}({
  doGenerate: async ({ prompt }) => {
    const shown = prompt.findLast(({ role }) => role === 'tool')?.content[0].output.value;
    return {
      content: [shown === undefined
        ? { type: 'tool-call', toolCallId: '1', toolName: 'code',
          input: JSON.stringify({ program: ${JSON.stringify(PROGRAM)} }) }
        : { type: 'text', text: 'ada has spent ' + shown }],
      finishReason: shown === undefined ? ${wordOf('tool-calls')} : ${wordOf('stop')},
      usage: ${JSON.stringify(usage)},
      warnings: [],
    };
  },
});
`;

const MAJORS = {
  'ai-5': modelOf('MockLanguageModelV2', (word) => `'${word}'`, { inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
  'ai-6': modelOf('MockLanguageModelV3', (word) => `{ unified: '${word}' }`, {
    inputTokens: { total: 1 },
    outputTokens: { total: 1 },
  }),
  'ai-7': modelOf('MockLanguageModelV4', (word) => `{ unified: '${word}' }`, {
    inputTokens: { total: 1 },
    outputTokens: { total: 1 },
  }),
};

describe('a sandbox in a program, as its page has it', () => {
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-page-')));
    installPackage(folder);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A package of this checkout, by the name that programs import it by. */
  function link(name: string, as = name): void {
    const place = join(folder, 'node_modules', as);
    rmSync(place, { force: true });
    mkdirSync(join(place, '..'), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules', name)), place);
  }

  function run(text: string): string {
    writeFileSync(join(folder, 'example.js'), text);
    return execFileSync(process.execPath, ['example.js'], { cwd: folder, encoding: 'utf8' });
  }

  it('runs without any package but this one', () => {
    expect(run(exampleOf('docs/guides/sandbox.md', 'plain'))).to.equal('42\n');
    expect(run("import { codeTool } from '@svc-lisp/svc/ai';\nconsole.log(typeof codeTool);")).to.equal('function\n');
  });

  for (const page of ['docs/guides/sandbox.md', 'README.md'])
    for (const [major, model] of Object.entries(MAJORS))
      it(`runs with ${major}, the example of ${page}`, () => {
        link(major, 'ai');
        link('zod');
        expect(run(`${model}${exampleOf(page, 'ai')}`)).to.equal('ada has spent 42\n');
      });

  it('serves MCP, and ends with its client', async () => {
    link('@modelcontextprotocol/server');
    writeFileSync(join(folder, 'server.js'), exampleOf('docs/guides/sandbox.md', 'mcp'));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StdioClientTransport({ command: process.execPath, args: ['server.js'], cwd: folder });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(['code']);
      expect(tools[0]?.inputSchema).to.have.nested.property('properties.program.type', 'string');
      const sum = await client.callTool({ name: 'code', arguments: { program: '(reduce + data/totals)' } });
      expect(sum.content).to.deep.equal([{ type: 'text', text: '42' }]);
      const failed = await client.callTool({ name: 'code', arguments: { program: '(/ 1 0)' } });
      expect(failed.isError).to.equal(true);
    } finally {
      await client.close();
    }
  });
});
