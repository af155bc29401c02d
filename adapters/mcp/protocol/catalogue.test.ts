import { expect } from 'chai';
import { errorOf, resultOf } from '../testing/result-of.ts';
import { catalogueBounds, cataloguePages } from './catalogue-pages.ts';
import { readPage, type CataloguePage } from './catalogue.ts';
import { refusal } from './discovery.ts';

const REVISION = '2026-07-28';
const TERMS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const TOOL = { name: 'look', inputSchema: { type: 'object' } };
const MALFORMED = refusal('provider_protocol_error');
const all = (): boolean => true;
const pageOf = (tools: readonly object[], more: object = {}): ReturnType<typeof readPage> =>
  readPage(resultOf({ ...TERMS, tools, ...more }), { isWanted: all, leavesOut: false }, REVISION);
const withTool = (changes: object): ReturnType<typeof readPage> => pageOf([{ ...TOOL, ...changes }]);

describe('a page of a catalogue (providers.md §7.3)', () => {
  it('tells its tools', () => {
    const tools = [
      { ...TOOL, description: 'd', outputSchema: { type: 'string' }, title: 't', annotations: { readOnlyHint: true } },
    ];
    expect(pageOf(tools, { nextCursor: 'c' })).to.deep.equal({
      ok: true,
      names: ['look'],
      tools: [
        {
          upstream: 'look',
          description: 'd',
          inputSchema: '{"type":"object"}',
          outputSchema: '{"type":"string"}',
          isReadOnly: true,
          headers: [],
        },
      ],
      leftOut: 0,
      bytes: JSON.stringify(tools).length,
      scope: 'private',
      cursor: 'c',
    });
  });
  it('interprets no tool that nobody wants, but its name', () => {
    const tools = [{ name: 'other', description: 1, inputSchema: 'x' }, TOOL];
    expect(readPage(resultOf({ ...TERMS, tools }), { isWanted: (name) => name === 'look', leavesOut: false }, REVISION))
      .to.include({ ok: true })
      .and.to.have.nested.property('tools.length', 1);
    expect(pageOf(tools)).to.deep.equal(MALFORMED);
  });
  it('is refused where it is none, or an error', () => {
    expect(readPage(null, { isWanted: all, leavesOut: false }, REVISION)).to.deep.equal(MALFORMED);
    expect(readPage(errorOf(-32603), { isWanted: all, leavesOut: false }, REVISION)).to.deep.equal(
      refusal('provider_unavailable'),
    );
  });

  const accepted: Readonly<Record<string, object>> = {
    'a name of 128 characters': { name: 'n'.repeat(128) },
    'a description of 4,096 bytes': { description: 'd'.repeat(4096) },
    'a keyword that nobody knows': { inputSchema: { type: 'object', unevaluatedProperties: false, $schema: 'x' } },
    'a schema of any form': {
      inputSchema: {
        type: 'object',
        properties: { a: { type: ['string', 'null'], minLength: 1 }, b: true },
        required: ['a'],
        allOf: [{ not: { const: 1 } }],
      },
    },
  };
  for (const [what, changes] of Object.entries(accepted)) {
    it(`takes ${what}`, () => {
      expect(withTool(changes)).to.have.property('ok', true);
    });
  }
  const refused: Readonly<Record<string, object>> = {
    'no name': { name: undefined },
    'an empty name': { name: '' },
    'a name of 129 characters': { name: 'n'.repeat(129) },
    'a name with a space': { name: 'a b' },
    'a name with a control': { name: 'a\u007f' },
    'a description that is no text': { description: null },
    'a description of 4,097 bytes': { description: 'd'.repeat(4097) },
    'no input schema': { inputSchema: undefined },
    'an input schema that is true': { inputSchema: true },
    'arguments that are no object': { inputSchema: { type: 'array' } },
    'an unknown type': { inputSchema: { type: 'object', properties: { a: { type: 'text' } } } },
    'a bound that is no size': { inputSchema: { type: 'object', minProperties: -1 } },
    'a schema of more than 65,536 bytes': { inputSchema: { type: 'object', title: 'x'.repeat(65_536) } },
    'an output schema that is no object': { outputSchema: [] },
    'a header that is no token': {
      inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } },
    },
    'a header of a number': {
      inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'a' } } },
    },
    'a header twice': {
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
      },
    },
  };
  for (const [what, changes] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(withTool(changes)).to.deep.equal(MALFORMED);
    });
  }
  it('is used without the tools that cannot be, where they may be left out (code-mode.md §3)', () => {
    const tools = [
      { name: 'a b', inputSchema: { type: 'object' } },
      { name: 'no-schema' },
      { name: 'long', description: `x${'é'.repeat(4096)}`, inputSchema: { type: 'object' } },
    ];
    const page = readPage(resultOf({ ...TERMS, tools }), { isWanted: all, leavesOut: true }, REVISION);
    expect(page).to.deep.include({ ok: true, names: ['long'], leftOut: 2 });
    const [tool] = page.ok ? page.tools : [];
    expect(Buffer.byteLength(tool?.description ?? '')).to.equal(4095);
  });

  const pages: Readonly<Record<string, object>> = {
    'no tools': { tools: undefined },
    'tools that are no list': { tools: {} },
    'a tool that is none': { tools: [1] },
    'an empty cursor': { nextCursor: '' },
    'a cursor of 1,025 bytes': { nextCursor: 'c'.repeat(1025) },
    'a cursor that is null': { nextCursor: null },
    'no life time': { ttlMs: undefined },
    'another result type': { resultType: 'task' },
  };
  for (const [what, changes] of Object.entries(pages)) {
    it(`is refused with ${what}`, () => {
      expect(pageOf([], changes)).to.deep.equal(MALFORMED);
    });
  }
});

describe('the pages of a catalogue (providers.md §7.3)', () => {
  let names = 0;
  const page = (cursor: string | null, changes: Partial<CataloguePage> = {}): CataloguePage => ({
    ok: true,
    names: [`n${(names += 1)}`],
    tools: [],
    leftOut: 0,
    bytes: 10,
    scope: 'private',
    cursor,
    ...changes,
  });
  const last = (pages: readonly CataloguePage[], maxTools = 128): unknown => {
    const add = cataloguePages(catalogueBounds({ maxCatalogTools: maxTools, isImported: false }));
    return pages.map((each) => add(each)).at(-1);
  };

  it('ask for the next one, and are one catalogue', () => {
    expect(last([page('a')])).to.deep.equal({ cursor: 'a' });
    expect(last([page('a', { names: ['x'] }), page(null, { names: ['y'] })])).to.deep.equal({
      ok: true,
      names: ['x', 'y'],
      tools: [],
      pages: 2,
      leftOut: 0,
    });
    expect(last([...Array.from({ length: 15 }, (_, at) => page(`c${at}`)), page(null)])).to.include({
      ok: true,
      pages: 16,
    });
    expect(last([page('a', { names: [] }), page(null, { names: ['x', 'y'] })], 2)).to.have.property('ok', true);
    expect(last([page(null, { bytes: 1_048_576 })])).to.have.property('ok', true);
  });
  it('may be many more of a server that a client\u2019s file names', () => {
    const add = cataloguePages(catalogueBounds({ maxCatalogTools: 512, isImported: true }));
    for (let at = 0; at < 20; at += 1) add(page(`m${at}`, { bytes: 400_000, leftOut: 1 }));
    expect(add(page(null, { leftOut: 1 }))).to.deep.include({ ok: true, pages: 21, leftOut: 21 });
  });
  const refused: Readonly<Record<string, readonly [readonly CataloguePage[], number?]>> = {
    'a seventeenth page': [Array.from({ length: 16 }, (_, at) => page(`c${at}`))],
    'a cursor again': [[page('a'), page('b'), page('a')]],
    'another scope': [[page('a'), page(null, { scope: 'public' })]],
    'a name twice on one page': [[page(null, { names: ['x', 'x'] })]],
    'a name of an earlier page': [[page('a', { names: ['x'] }), page(null, { names: ['x'] })]],
    'more tools than allowed': [[page('a', { names: ['x', 'y'] }), page(null, { names: ['z'] })], 2],
    'more bytes than allowed': [[page('a', { bytes: 1_048_570 }), page(null, { bytes: 7 })]],
  };
  for (const [what, [pages, maxTools]] of Object.entries(refused)) {
    it(`are refused over ${what}`, () => {
      expect(last(pages, maxTools)).to.deep.equal(MALFORMED);
    });
  }
});
