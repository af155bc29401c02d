/** What a system prompt costs, in tokens of o200k_base, as models of OpenAI count them. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { defineCustomInstallation, type CustomInstallation } from '../../api/supervisor.ts';
import { useAgents } from './agent-run.ts';
import type { AgentApplication } from './scenario.ts';

/** Of a mission with one value. */
const VALUE_TOKENS = 620;
/** Of a mission with all tools of the reference server of files. */
const FILES_TOKENS = 2000;
const FILES_TOOLS = 14;

const SERVER = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

/** Functions of an embedding program have no schemas of older dialects, as servers may. */
function ofThisDialect(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** The tools of that server as it describes them itself. */
async function fileTools(): Promise<CustomInstallation> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER, '.'], stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    return defineCustomInstallation({
      alias: 'files',
      revision: 'r1',
      destinations: ['mission'],
      capabilities: tools.map(({ name, description = '', inputSchema, outputSchema, annotations }) => ({
        name: name.replaceAll('_', '-'),
        description,
        effect: annotations?.readOnlyHint === true ? 'read' : 'write',
        modelVisible: true,
        inputSchema: ofThisDialect(inputSchema),
        ...(outputSchema === undefined ? {} : { outputSchema: ofThisDialect(outputSchema) }),
        call: () => ({}),
      })),
    });
  } finally {
    await client.close();
  }
}

describe('tokens of the system prompt (agent-library.md §7)', () => {
  const agents = useAgents();
  const systems = async (application: AgentApplication): Promise<readonly string[]> => {
    const { requests, code } = await agents.play(application, ['(+ 1 1)', '(nope)', '(return 1)']);
    expect(code).to.equal(null);
    return requests.map(({ system }) => system);
  };

  it(`are at most ${String(VALUE_TOKENS)} for a mission with one value, and the same bytes in every turn`, async () => {
    const [first = '', ...others] = await systems({});
    expect(first).to.include('data/rows');
    expect(countTokens(first)).to.be.at.most(VALUE_TOKENS);
    expect(others).to.deep.equal([first, first]);
  });

  it(`are at most ${String(FILES_TOKENS)} with ${String(FILES_TOOLS)} tools of a server of files`, async () => {
    const tools = await fileTools();
    const [first = '', ...others] = await systems({
      missions: { default: { providers: ['files'] } },
      tools: () => tools,
    });
    expect(first.match(/tool\/[a-z-]+/g)?.length, first).to.be.at.least(FILES_TOOLS);
    expect(countTokens(first)).to.be.at.most(FILES_TOKENS);
    expect(others).to.deep.equal([first, first]);
  });
});
