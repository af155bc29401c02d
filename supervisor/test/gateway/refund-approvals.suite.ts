/** The example that asks a person, through a gateway and the official client, which shows forms (approvals.md §6). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN, type TestGateway } from './gateway.ts';
import { audited } from './writing.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/refund-approvals');
const textOf = (name: string): string => readFileSync(join(EXAMPLE, name), 'utf8');
const manifest = JSON.parse(textOf('svc.json'));
/** The request of the example with the contract of its result in it. */
const REQUEST = 'sha256:ae751fe5d646ee9a668fbbea7439cbe1d4e82c8cf5607ebb63dd828fb1b802bb';
const text = { type: 'string' };
/** A tool gives back an object, and so does the recorded program. */
const answer = textOf('replay.jsonl')
  .replace(/sha256:[0-9a-f]{64}/, REQUEST)
  .replace('(return (vec', String.raw`(return {\"refunds\" (vec`)
  .replace('tickets))))"', 'tickets)))})"');
const closed = (properties: object): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe('examples/refund-approvals behind a gateway', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await audited({
      tools: {
        refund: {
          program: '',
          input: closed({ task: text, agent: closed({ max_turns: { type: 'integer' } }) }),
          result: closed({ refunds: { type: 'array', items: closed({ refund: text, ticket: text }) } }),
          manifest,
        },
      },
      install: JSON.parse(textOf('svc-host.json')).install,
      edit: (document) => ({
        ...document,
        private_audit: { directory: 'audit', max_file_bytes: 65_536, max_retained_files: 4 },
        tools: [document['tools']].flat().map((tool) => ({ ...Object(tool), allow_write: true })),
      }),
      files: {
        'replay.jsonl': answer,
        'desk/tickets.txt': textOf('desk/tickets.txt'),
      },
    });
  });
  after(async () => {
    await gateway?.stop();
  });

  it('asks about the three refunds in one round, writes what was allowed and returns why the third was not', async () => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: {} } },
    );
    const requested: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
      requested.push(message);
      return message.includes('T-1004')
        ? { action: 'accept', content: { decision: 'deny', reason: 'not without an order' } }
        : { action: 'accept', content: { decision: 'allow once' } };
    });
    await client.connect(
      new StreamableHTTPClientTransport(gateway.url, {
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
      }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name, _meta }) => [name, _meta?.['svc/approval']])).to.deep.equal([['refund', true]]);
      const { structuredContent } = await client.callTool({ name: 'refund', arguments: manifest.input.value });
      expect(structuredContent).to.deep.equal({
        refunds: [
          { refund: 'ok', ticket: 'T-1001' },
          { refund: 'ok', ticket: 'T-1003' },
          { refund: 'not without an order', ticket: 'T-1004' },
        ],
      });
      expect(requested).to.have.length(3);
      for (const message of requested) expect(message).to.include('refund.write').and.include('branch ');
      expect(requested.find((message) => message.includes('T-1004'))).to.include('980.00');
    } finally {
      await client.close();
    }
    const written = readdirSync(join(gateway.directory, 'desk')).filter((name) => name.startsWith('refund-'));
    expect(written.toSorted()).to.deep.equal(['refund-T-1001.txt', 'refund-T-1003.txt']);
  });
});
