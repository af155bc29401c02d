import { expect } from 'chai';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { catalogTable } from './catalog-table.ts';
import { PLAIN_STYLING } from './styling.ts';

const schema = (plain: unknown) => jsonFromPlain(plain) ?? null;
const PAGES = { pages: 1, truncated: false } as const;
const MAPPING = new Map([
  ['lookUp', schema({ as: 'look-up', effect: 'read' })],
  ['a"b\u202e', schema({ as: 'a-b', effect: 'write' })],
]);
const PIN = `sha256:${'0'.repeat(64)}`;

describe('the catalogue of a server at a terminal (providers.md §13)', () => {
  it('tells each tool with what it takes, and what a gateway file pins', () => {
    const tools = [
      {
        name: 'lookUp',
        description: 'Looks up.',
        input_schema: schema({ type: 'object', properties: { city: {}, days: {} }, required: ['city'] }),
        output_schema: schema({}),
      },
      { name: 'ping', input_schema: schema({ type: 'object' }) },
    ];
    expect(
      catalogTable(
        { provider: 'desk', tool_count: 2, tools, pagination: PAGES },
        { configPin: PIN, mapping: MAPPING },
        PLAIN_STYLING,
      ),
    ).to.equal(
      [
        'lookUp',
        '  Looks up.',
        '  takes city, days?',
        '  gives structured content',
        '',
        'ping',
        '  takes no arguments',
        '',
        'To map these tools, paste this into the installation. Effects are what the server says of itself: check them. One row, "*": {"effect": "write"}, maps all of them.',
        '"tools": {',
        '  "lookUp": {"as": "look-up", "effect": "read"},',
        '  "a\\"b\\u202e": {"as": "a-b", "effect": "write"}',
        '}',
        '',
        `"installation_config_pins": {"desk": "${PIN}"}`,
        '',
      ].join('\n'),
    );
  });

  it('lets nothing of a server move the cursor or forge a line', () => {
    const hostile = 'a\u001b[2J\nb\u202e';
    const tools = [{ name: hostile, description: hostile, input_schema: schema({ properties: { [hostile]: {} } }) }];
    const text = catalogTable(
      { provider: 'desk', tool_count: 1, tools, pagination: PAGES },
      { configPin: null, mapping: new Map() },
      PLAIN_STYLING,
    );
    expect(text.split('\n')).to.have.length(4);
    expect(text).not.to.match(/[\u001b\u202e]/);
  });

  it('says so where nothing is offered', () => {
    expect(
      catalogTable(
        { provider: 'desk', tool_count: 0, tools: [], pagination: PAGES },
        { configPin: null, mapping: new Map() },
        PLAIN_STYLING,
      ),
    ).to.equal('The server offers nothing.\n');
  });
});
