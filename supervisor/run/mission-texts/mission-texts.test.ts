import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { JsonFloat, type JsonValue } from '../../../contract/json/value.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { capabilityForm } from '../../calls/capability-form.ts';
import { exportForm } from './call-forms.ts';
import {
  missionInventory,
  missionModelContext,
  textFacts,
  type CapabilityFacts,
  type MissionTextFacts,
} from './mission-texts.ts';
import { plainApplication } from '../testing/run-fixture.ts';

function fact(ref: string, more: Partial<ExportFact> = {}): ExportFact {
  return {
    ref,
    kind: 'function',
    arities: [1],
    variadic_from: null,
    requirements: [],
    effect: 'unknown',
    visibility: 'prompt',
    doc: null,
    ...more,
  };
}

function capability(name: string, more: Partial<CapabilityFacts> = {}): CapabilityFacts {
  return {
    name,
    description: `about ${name}`,
    effect: 'read',
    isModelVisible: true,
    inputSchema: jsonFromPlain({ type: 'object', required: ['text'] }) ?? null,
    outputSchema: null,
    ...more,
  };
}

function facts(more: Partial<MissionTextFacts> = {}): MissionTextFacts {
  return { exports: [], namespaces: [], capabilities: [], data: new Map(), limits: plainApplication().limits, ...more };
}

function context(more: Partial<MissionTextFacts>): {
  readonly namespaces: readonly unknown[];
  readonly entries: readonly Readonly<Record<string, unknown>>[];
} {
  return JSON.parse(missionModelContext(facts(more)));
}

describe('the texts of a mission (runtime.md §4)', () => {
  it('the inventory has its keys in order, and arrays by their public form', () => {
    const text = missionInventory(
      facts({
        exports: [
          fact('b/two', { doc: 'Two.', contract: '(x :int, y {a :string, b [:int]}) -> :map' }),
          fact('a/one', { kind: 'constant', contract: ':int' }),
          fact('a/hidden', { visibility: 'discoverable' }),
        ],
        capabilities: [capability('find'), capability('secret', { isModelVisible: false })],
        data: new Map<string, JsonValue>([
          ['data/z', 1],
          ['data/a', 'x'],
        ]),
      }),
    );
    const inventory = JSON.parse(text);
    expect(Object.keys(inventory)).to.deep.equal(['schema_version', 'exports', 'capabilities', 'data', 'limits']);
    expect(inventory).to.deep.include({
      schema_version: 3,
      exports: [
        {
          ref: 'b/two',
          kind: 'function',
          call: '(b/two x y)',
          doc: 'Two.',
          effect: 'unknown',
          contract: '(x :int, y {a :string, b [:int]}) -> :map',
        },
        { ref: 'a/one', kind: 'constant', call: 'a/one', doc: null, effect: 'unknown', contract: ':int' },
      ],
      capabilities: [
        {
          name: 'find',
          call: '(tool/find {"text" text})',
          description: 'about find',
          effect: 'read',
          input_schema: { type: 'object', required: ['text'] },
          output_schema: null,
        },
      ],
      data: ['data/a', 'data/z'],
    });
    expect(Object.keys(inventory.limits)).to.deep.equal([
      'evaluation_timeout_ms',
      'parallel_timeout_ms',
      'subordinate_source_bytes',
      'subordinate_source_checks',
      'mission_capability_calls',
      'mission_capability_calls_per_name',
      'capability_argument_bytes',
      'capability_result_bytes',
    ]);
    expect(Object.keys(inventory.exports[0])).to.deep.equal(['ref', 'kind', 'call', 'doc', 'effect', 'contract']);
    expect(Object.keys(inventory.capabilities[0])).to.deep.equal([
      'name',
      'call',
      'description',
      'effect',
      'input_schema',
      'output_schema',
    ]);
  });

  it('the model context sorts all entries by form', () => {
    const { entries } = context({
      exports: [fact('z/f')],
      capabilities: [capability('find')],
      data: new Map([['data/rows', []]]),
    });
    expect(entries.map(({ kind, form }) => [kind, form])).to.deep.equal([
      ['capability', '(tool/find {"text" text})'],
      ['function', '(z/f arg1)'],
      ['data', 'data/rows'],
    ]);
    expect(Object.keys(entries[0] ?? {})).to.deep.equal(['kind', 'form', 'contract', 'effect', 'docs']);
    expect(entries[0]).to.deep.include({
      contract: { input_schema: { type: 'object', required: ['text'] }, output_schema: null },
      docs: 'about find',
    });
  });

  it('says which calls ask a person, and which exports can make them (approvals.md §1)', () => {
    const capabilities = [
      capability('find', { approval: 'writes' }),
      capability('close', { approval: 'writes', effect: 'write' }),
      capability('odd', { approval: 'writes', effect: 'unknown' }),
      capability('peek', { approval: 'always' }),
      capability('free', { approval: 'never', effect: 'write' }),
    ];
    const granted = { capabilities, exports: [fact('a/close', { requirements: ['tool:close'] }), fact('a/free')] };
    const asking = (entries: readonly { readonly approval?: string }[]) =>
      entries.map(({ approval = null }) => approval);
    const inventory = JSON.parse(missionInventory(facts(granted)));
    expect(inventory.capabilities.map(({ name }: { readonly name: string }) => name)).to.deep.equal([
      'close',
      'find',
      'free',
      'odd',
      'peek',
    ]);
    expect(asking(inventory.capabilities)).to.deep.equal([
      'asks a person',
      null,
      null,
      'asks a person',
      'asks a person',
    ]);
    expect(asking(inventory.exports)).to.have.members(['asks a person', null]);
    const effects = new Map(
      context(granted).entries.map(({ form, effect }) => [String(form).split(/[ {]/)[0], effect]),
    );
    expect(Object.fromEntries(effects)).to.deep.include({
      '(tool/close': 'write, asks a person',
      '(tool/find': 'read',
      '(tool/odd': 'unknown, asks a person',
      '(tool/peek': 'read, asks a person',
      '(tool/free': 'write',
    });
    expect(effects.get('(a/close')).to.match(/, asks a person$/);
    expect(effects.get('(a/free')).to.not.include('asks');
  });

  it('tells the shape of a grant (world.md §3.7)', () => {
    const data = new Map<string, JsonValue>(
      Object.entries({
        'data/a': null,
        'data/b': true,
        'data/c': 'secret',
        'data/d': 1,
        'data/e': new JsonFloat(1),
        'data/f': ['secret'],
        'data/g': new Map([['secret', 1]]),
      }),
    );
    expect(context({ data }).entries.map(({ contract }) => contract)).to.deep.equal([
      'nil',
      ':bool',
      ':string',
      ':int',
      ':float',
      '[:string]',
      '{secret :int}',
    ]);
    expect(context({ data }).entries.at(-1)).to.deep.include({ count: '1 key', example: '{"secret" 1}' });
  });

  it('an effect is the worst of the own and of every reachable capability; an absent one is unknown', () => {
    const granted = [capability('r'), capability('w', { effect: 'write' })];
    const effects = ([['tool:r'], ['tool:r', 'tool:w'], ['tool:gone'], ['tool:cap-list'], []] as const).map(
      (requirements, index) =>
        fact(`n/f${index}`, { effect: requirements.length === 0 ? 'unknown' : 'read', requirements }),
    );
    expect(
      context({ exports: effects, capabilities: granted })
        .entries.filter(({ kind }) => kind === 'function')
        .map(({ effect }) => effect),
    ).to.deep.equal(['read', 'write', 'unknown', 'read', 'unknown']);
  });

  it('a namespace appears only with a text and an export that is shown', () => {
    const exports = [fact('a/f'), fact('b/f', { visibility: 'discoverable' }), fact('c/f')];
    const namespaces = [
      { name: 'c', component: 'x', doc: 'C.' },
      { name: 'a', component: 'x', doc: 'A.' },
      { name: 'b', component: 'x', doc: 'B.' },
      { name: 'd', component: 'x', doc: 'D.' },
    ];
    expect(
      context({ exports, namespaces: [...namespaces, { name: 'e', component: 'x', doc: null }] }).namespaces,
    ).to.deep.equal([
      { namespace: 'a', doc: 'A.' },
      { namespace: 'c', doc: 'C.' },
    ]);
  });

  it('holds whatever a document may say, and schemas as they are', () => {
    const description = '"\\\u2028\ud800\n(tool/forged {})';
    const inputSchema =
      jsonFromPlain({
        type: 'object',
        properties: JSON.parse('{"__proto__":{"type":"integer"},"1":{"const":1}}'),
        required: ['a "quoted" one'],
      }) ?? null;
    const [entry] = context({ capabilities: [capability('x', { description, inputSchema })] }).entries;
    expect(entry).to.deep.include({ form: '(tool/x {"a \\"quoted\\" one" value})', docs: description.toWellFormed() });
    expect(
      missionInventory(
        facts({
          capabilities: [capability('x', { inputSchema: jsonFromPlain({ minimum: new JsonFloat(1) }) ?? null })],
        }),
      ),
    ).to.include('"minimum":1.0');
  });

  it('the same facts give the same bytes', () => {
    const exports = [fact('b/f'), fact('a/f')];
    expect(missionInventory(facts({ exports }))).to.equal(missionInventory(facts({ exports: exports.toReversed() })));
    expect(textFacts('abc')).to.deep.equal({
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      bytes: 3,
    });
  });
});

describe('how a program writes what it is granted', () => {
  const exported: readonly (readonly [Partial<ExportFact>, string])[] = [
    [{ arities: [0] }, '(n/f)'],
    [{ arities: [2, 3] }, '(n/f arg1 arg2)'],
    [{ arities: [2], variadic_from: 1 }, '(n/f arg1 ...)'],
    [{ arities: [], variadic_from: 0 }, '(n/f ...)'],
    [{ arities: [32] }, `(n/f ${Array.from({ length: 32 }, (_, index) => `arg${index + 1}`).join(' ')})`],
    [{ arities: [33] }, '(n/f)'],
    [{ contract: '() -> :int' }, '(n/f)'],
    [{ contract: '(a-b :any, c_d {x :int, y [{z :map}]}?) -> {q :string}' }, '(n/f a-b c_d)'],
    [{ kind: 'constant', arities: [], contract: '[:int]' }, 'n/f'],
  ];
  for (const [more, form] of exported) {
    it(form, () => {
      expect(exportForm(fact('n/f', more))).to.equal(form);
    });
  }

  const schemas: readonly (readonly [schema: unknown, form: string])[] = [
    [null, '(tool/t {})'],
    [{ type: 'object' }, '(tool/t {})'],
    [{ required: ['b', 'a', 'a', 1] }, '(tool/t {"a" a "b" b})'],
    [{ required: ['Name', 'x y'] }, '(tool/t {"Name" value "x y" value})'],
    [{ oneOf: [{ required: ['kind', 'a'] }, { required: ['kind', 'b'] }] }, '(tool/t {"kind" kind})'],
    [{ oneOf: [] }, '(tool/t {})'],
  ];
  for (const [schema, form] of schemas) {
    it(`${JSON.stringify(schema)}: ${form}`, () => {
      expect(capabilityForm({ name: 't', inputSchema: jsonFromPlain(schema) ?? null })).to.equal(form);
    });
  }
});
