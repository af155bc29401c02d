import { Client, StreamableHTTPClientTransport, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { TOKEN, startTestGateway, type TestGateway } from './gateway.ts';

const NAME = {
  type: 'object',
  properties: { value: { type: 'string', maxLength: 40, 'x-mcp-header': 'Value' } },
  required: ['value'],
  additionalProperties: false,
};

const TOOLS = {
  greet: { program: '(ns main)\n(defn run [input] {:value (str "hello " (get input "value"))})\n', input: NAME },
  wrong: { program: '(ns main)\n(defn run [_] (fail "a secret of the program"))\n' },
  broken: { program: '(ns main)\n(defn run [_] {:value [1 2]})\n' },
  endless: { program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n' },
};

const MODES: Readonly<Record<string, VersionNegotiationOptions>> = {
  'by default': {},
  'in auto mode': { mode: 'auto' },
  'pinned to the current revision': { mode: { pin: '2026-07-28' } },
};

for (const [how, versionNegotiation] of Object.entries(MODES)) {
  describe(`the official client ${how} (gateway.md §4, §5, §7)`, () => {
    let gateway: TestGateway;
    let client: Client;
    before(async () => {
      gateway = await startTestGateway({ tools: TOOLS });
      client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
      await client.connect(
        new StreamableHTTPClientTransport(gateway.url, {
          requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
        }),
      );
    });
    after(async () => {
      await client.close();
      const { status, stderr } = await gateway.stop();
      expect([status, stderr]).to.deep.equal([0, '']);
    });

    it('lists the tools in the order of their names', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(['broken', 'endless', 'greet', 'wrong']);
      expect(tools[2]).to.deep.include({
        title: 'greet',
        description: 'The tool greet.',
        annotations: { readOnlyHint: true },
      });
    });

    it('calls one, which runs its application', async () => {
      const reported: number[] = [];
      const result = await client.callTool(
        { name: 'greet', arguments: { value: 'Ada é' } },
        {
          onprogress: ({ progress }) => {
            reported.push(progress);
          },
        },
      );
      expect(result).to.deep.include({
        structuredContent: { value: 'hello Ada é' },
        content: [{ type: 'text', text: '{"value":"hello Ada é"}' }],
        isError: false,
      });
      expect(reported).to.deep.equal(reported.toSorted((left, right) => left - right));
    });

    for (const [name, code] of [
      ['wrong', 'explicit_failure: '],
      ['broken', 'result_contract_failed: '],
    ] as const) {
      it(`is told ${code}by one that fails, and no value`, async () => {
        const result = await client.callTool({ name, arguments: {} });
        expect(result).to.have.property('isError', true);
        expect(result).not.to.have.property('structuredContent');
        expect(JSON.stringify(result.content)).to.include(code).and.not.include('secret');
      });
    }

    it('is told which rule its arguments break', async () => {
      const result = await client.callTool({ name: 'greet', arguments: { value: 'x'.repeat(41) } });
      expect(result.content).to.deep.equal([
        {
          type: 'text',
          text: 'input_contract_failed: the input violates its contract: rule max_length; bound: 40 (at /value)',
        },
      ]);
    });

    it('refuses a tool that is not there', async () => {
      const error: unknown = await client
        .callTool({ name: 'absent', arguments: {} })
        .catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', -32_602);
    });

    it('ends a run by going away', async () => {
      const abort = new AbortController();
      const called = client
        .callTool(
          { name: 'endless', arguments: {} },
          {
            signal: abort.signal,
            onprogress: () => {
              abort.abort();
            },
          },
        )
        .catch(() => 'given up');
      expect(await called).to.equal('given up');
      // Two places there are: both can be had again only when the run that had one of them is over.
      await until('both places are free', async () => {
        const both = await Promise.all(
          ['a', 'b'].map(async (value) => client.callTool({ name: 'greet', arguments: { value } }).catch(() => null)),
        );
        return both.every((result) => result?.isError === false) ? true : undefined;
      });
    });
  });
}
