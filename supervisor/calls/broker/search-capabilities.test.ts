import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { searchCapabilities, type SearchedCapability } from './search-capabilities.ts';

function tool(name: string, description: string, parameters: readonly string[] = []): SearchedCapability {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, {}]));
  const inputSchema = jsonFromPlain({ type: 'object', properties, required: parameters.slice(0, 1) }) ?? null;
  return { name, description, effect: 'read', inputSchema };
}

const TOOLS = [
  tool('get-user', 'Reads one account.', ['id']),
  tool('list-invoices', 'Lists what a customer owes.', ['customerId']),
  tool('send-mail', 'Sends a letter to a user of the system, whoever that user is.', ['to']),
  tool('user', 'The person at the keyboard.'),
];

interface Answer {
  readonly hits: readonly { readonly name: string }[];
  readonly total: number;
}

function found(words: string, tools: readonly SearchedCapability[] = TOOLS): Answer {
  return JSON.parse(canonicalJson(searchCapabilities(tools, words)));
}
const names = (words: string): readonly string[] => found(words).hits.map(({ name }) => name);

describe('a search among capabilities (world.md §2.6)', () => {
  for (const [words, expected] of [
    ['user', ['user', 'get-user', 'send-mail']],
    ['invoice', ['list-invoices']],
    ['INVOICES', ['list-invoices']],
    ['customer id', ['list-invoices', 'get-user']],
    ['account', ['get-user']],
    ['', []],
    ['nothing of the kind', ['send-mail', 'user']],
    ['zebra', []],
  ] as const)
    it(JSON.stringify(words), () => {
      expect(names(words)).to.deep.equal(expected);
    });

  it('says how to call what it found', () => {
    expect(found('account')).to.deep.equal({
      hits: [{ name: 'get-user', call: '(tool/get-user {"id" id})', doc: 'Reads one account.', effect: 'read' }],
      total: 1,
    });
  });

  it('gives ten at most, and says how many there are', () => {
    for (const count of [9, 10, 11]) {
      const many = Array.from({ length: count }, (_, at) => tool(`find-${at}`, 'Finds.'));
      const { hits, total } = found('find', many);
      expect([hits.length, total]).to.deep.equal([Math.min(count, 10), count]);
    }
  });

  it('has 6144 bytes at most, and 300 characters of each description', () => {
    const many = Array.from({ length: 10 }, (_, at) => tool(`find-${at}`, 'é'.repeat(400), ['x'.repeat(500)]));
    const answer = found('find', many);
    expect(Buffer.byteLength(JSON.stringify(answer))).to.be.at.most(6144);
    expect(answer.hits.length).to.be.within(1, 9);
    expect(answer.hits[0]).to.have.property('doc').with.lengthOf(300);
  });
});
