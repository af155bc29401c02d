import { expect } from 'chai';
import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Verdict } from '../../calls/broker/capability.ts';
import { capability } from '../../calls/broker/testing/broker-harness.ts';
import { checkModelRequest, withRequestSchema } from './model-request.ts';

describe('a request to a model with a key that is none (first-day.md §3)', () => {
  const unknownIn = (key: string): unknown => {
    const verdict = checkModelRequest(objectOf({ messages: [], [key]: 1 }));
    return verdict.status === 'invalid' ? verdict.violations : verdict.status;
  };
  const allowed = ['cache', 'messages', 'model', 'schema', 'system', 'tools'];

  for (const [length, shown] of [
    [63, 63],
    [64, 64],
    [65, 64],
  ] as const)
    it(`names it, ${shown} characters of ${length}, and those that there are`, () => {
      expect(unknownIn('k'.repeat(length))).to.deep.equal([
        new Map<string, unknown>([
          ['path', ''],
          ['rule', 'additionalProperties'],
          ['unknown', 'k'.repeat(shown)],
          ['allowed', allowed],
        ]),
      ]);
    });

  it('is none where all keys are known', () => {
    expect(unknownIn('system')).to.deep.equal([
      new Map([
        ['path', '/system'],
        ['rule', 'type'],
      ]),
    ]);
  });
});

describe('structured output that misses the schema of its request (world.md §1.7)', () => {
  const SCHEMA = {
    type: 'object',
    properties: {
      n: { type: 'integer', maximum: 9 },
      note: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      kind: { type: 'string', enum: ['planted-member'] },
    },
    required: ['n'],
    additionalProperties: false,
  };

  async function verdictOf(output: unknown, schema: unknown = SCHEMA): Promise<Verdict> {
    const model = withRequestSchema(capability(), SerializedJson.of(objectOf({ messages: [], schema })));
    return model.checkResult(SerializedJson.of(jsonOf({ structured_output: output, finish_reason: 'stop' })), 1000);
  }

  async function mismatch(output: unknown, schema?: unknown) {
    const verdict = await verdictOf(output, schema);
    if (verdict.status !== 'invalid') throw new Error(`the verdict is ${verdict.status}`);
    return { violations: verdict.violations.map((one) => plainFromJson(one)), text: verdict.text };
  }

  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['a type', { n: 'four' }, { path: '/n', rule: 'type', expected: 'integer' }],
    ['one of several types', { n: 1, note: 2 }, { path: '/note', rule: 'type', expected: 'string or null' }],
    ['a bound', { n: 10 }, { path: '/n', rule: 'maximum', expected: 'integer' }],
    ['a member of a list', { n: 1, tags: ['a', 2] }, { path: '/tags/1', rule: 'type', expected: 'string' }],
    ['a property that is missing', {}, { path: '/n', rule: 'required', expected: 'integer' }],
    ['a closed list', { kind: 'b', n: 1 }, { path: '/kind', rule: 'enum', expected: 'string' }],
    ['a name that is not declared', { n: 1, x: 1 }, { path: '', rule: 'unknown_property', expected: 'object' }],
  ];
  for (const [title, output, violation] of cases)
    it(`says path, rule and expected type of ${title}, and what was written`, async () => {
      expect(await mismatch(output)).to.deep.equal({ violations: [violation], text: JSON.stringify(output) });
    });

  const union = {
    oneOf: ['a', 'b'].map((tag) => ({
      type: 'object',
      properties: { kind: { type: 'string', const: tag } },
      required: ['kind'],
      additionalProperties: false,
    })),
  };
  for (const [output, rule] of [
    [{}, 'required'],
    [{ kind: 'c' }, 'enum'],
  ] as const)
    it(`says what chooses the form of a union: ${rule}`, async () => {
      expect((await mismatch(output, union)).violations).to.deep.equal([{ path: '/kind', rule, expected: 'string' }]);
    });

  for (const [wrong, reported] of [
    [2, 2],
    [3, 3],
    [4, 3],
  ] as const)
    it(`says ${reported} of ${wrong} violations`, async () => {
      const { violations } = await mismatch({ n: 1, tags: Array.from({ length: wrong }, () => 0) });
      expect(violations).to.deep.equal(
        Array.from({ length: reported }, (_, index) => ({ path: `/tags/${index}`, rule: 'type', expected: 'string' })),
      );
    });

  for (const length of [2047, 2048, 2049])
    it(`gives ${Math.min(length, 2048)} characters of a text of ${length}`, async () => {
      const text = JSON.stringify({ n: 'x'.repeat(length - '{"n":""}'.length) });
      expect(text).to.have.length(length);
      expect((await mismatch({ n: 'x'.repeat(length - '{"n":""}'.length) })).text).to.equal(text.slice(0, 2048));
    });

  it('leaves no half of a character at the cut', async () => {
    const { text = '' } = await mismatch({ n: `${'x'.repeat(2048 - '{"n":"'.length - 1)}\u{1F600}` });
    expect(text.isWellFormed()).to.equal(true);
    expect(text).to.have.length(2048);
  });

  it('finds nothing wrong with what fits, and with an answer that was cut', async () => {
    expect(await verdictOf({ n: 1 })).to.deep.equal({ status: 'valid' });
    const model = withRequestSchema(capability(), SerializedJson.of(objectOf({ messages: [], schema: SCHEMA })));
    const cut = SerializedJson.of(jsonOf({ content: '{"n', finish_reason: 'length' }));
    expect(await model.checkResult(cut, 1000)).to.deep.equal({ status: 'valid' });
  });
});

function jsonOf(plain: unknown): JsonValue {
  const json = jsonFromPlain(plain);
  if (json === undefined) throw new Error('this is JSON');
  return json;
}

function objectOf(plain: unknown): JsonObject {
  const json = jsonOf(plain);
  if (!isJsonObject(json)) throw new Error('this is an object');
  return json;
}
