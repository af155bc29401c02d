import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { SEARCH_SIGNATURE, toolSignature, typeOf } from './signature.ts';

const json = (plain: unknown) => jsonFromPlain(plain) ?? null;
const type = (plain: unknown) => typeOf(json(plain), 2000);

describe('signatures of tools (code-mode.md §4; §9, 28 and 60)', () => {
  it('are the form of a call, what it takes and what it gives', () => {
    const inputSchema = json({
      type: 'object',
      properties: { owner: { type: 'string' }, repo: { type: 'string' }, state: { enum: ['open', 'closed'] } },
      required: ['owner', 'repo'],
    });
    const outputSchema = json({
      type: 'array',
      items: {
        type: 'object',
        properties: { number: { type: 'integer' }, title: { type: 'string' } },
        required: ['number', 'title'],
      },
    });
    expect(toolSignature({ name: 'github.list-prs', inputSchema, outputSchema }, SEARCH_SIGNATURE)).to.equal(
      '(tool/github.list-prs {:owner str, :repo str, :state? "open"|"closed"}) -> [{:number int, :title str}]',
    );
  });

  it('of a tool that takes nothing, and of one that says nothing of its answer', () => {
    expect(toolSignature({ name: 'a', inputSchema: json({ type: 'object' }), outputSchema: null }, 400)).to.equal(
      '(tool/a) -> any',
    );
  });

  for (const [plain, text] of [
    [{}, 'any'],
    [true, 'any'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'str|nil'],
    [{ oneOf: [{ type: 'integer' }, { type: 'integer' }] }, 'int'],
    [{ type: ['number', 'boolean'] }, 'num|bool'],
    [{ const: 1 }, '1'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, '{str int}'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'str'],
    [{ $ref: '#/$defs/none' }, '…'],
    [{ properties: { 'X-Trace-Id': {}, 'per page': {}, a_b: {} } }, '{:X-Trace-Id? any, "per page"? any, :a_b? any}'],
  ] as const)
    it(JSON.stringify(plain), () => {
      expect(type(plain)).to.equal(text);
    });

  it('end where a schema goes on in itself, or is deeper than four levels', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(type(tree)).to.match(/…/).and.have.length.below(100);
    const deep = [1, 2, 3, 4, 5].reduce<unknown>((items) => ({ type: 'array', items }), { type: 'string' });
    expect(type(deep)).to.equal('[[[[[…]]]]]');
  });

  it('are cut', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`property_${index}`, { type: 'string' }]),
    );
    expect(toolSignature({ name: 'a', inputSchema: json({ properties }), outputSchema: null }, 400))
      .to.have.length(400)
      .and.match(/…$/);
  });
});
