import { join } from 'node:path';
import { expect } from 'chai';
import { ToolRoom, runTools, type ToolApplication } from './room.ts';

const OFFICIAL: Partial<ToolApplication> & { readonly script: ToolApplication['script'] } = {
  script: { steps: [] },
  transport: { args: [join(import.meta.dirname, '../servers/mcp-sdk/main.ts')] },
  tools: Object.fromEntries(
    Object.entries({ lookUp: 'look-up', measure: 'measure', refuse: 'refuse', break: 'break' }).map(([name, as]) => [
      name,
      { as, effect: 'read', error_feedback: 'bounded' },
    ]),
  ),
};
const failed = (details: string) => ({
  status: 'error',
  kind: 'provider_error',
  reason: 'domain_error',
  'retryable?': false,
  details,
});

describe('a server that the official package serves (providers.md §7)', () => {
  it('is discovered and called; its failures and its structured content are told', async () => {
    const program =
      '[(tool/look-up {:city "Oslo"}) (tool/measure {:city "Oslo"}) (tool/refuse {}) (tool/break {}) (tool/look-up {:city 7})]';
    await runTools({ ...OFFICIAL, program }, ({ status, value }) => {
      expect(status).to.equal(0);
      expect(value).to.deep.include.members([
        { status: 'ok', value: { text: ['sunny in Oslo'] } },
        { status: 'ok', value: { degrees: 4 } },
        failed('no such place'),
        failed('broken inside'),
      ]);
      expect(Object(value)[4]).to.deep.include({ kind: 'protocol_error', reason: 'invalid_arguments' });
    });
  });

  it('is listed', async () => {
    const room = new ToolRoom(OFFICIAL);
    try {
      const { envelope } = await room.report(await room.run(['catalog', 'desk']));
      expect(envelope).to.have.nested.property('result.tool_count', 4);
      expect(envelope).to.have.nested.property('result.tools[2].output_schema.properties.degrees.type', 'number');
    } finally {
      room.close();
    }
  });
});
