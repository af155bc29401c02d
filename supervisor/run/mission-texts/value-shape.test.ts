import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { JsonFloat, type JsonValue } from '../../../contract/json/value.ts';
import { shapeOf } from './value-shape.ts';

const json = (plain: unknown): JsonValue => jsonFromPlain(plain) ?? null;
const shape = (plain: unknown): string => {
  const { type, count, example } = shapeOf(json(plain));
  return [type, count ?? '-', example ?? '-'].join(' | ');
};

describe('the shape of a value in a prompt (world.md §3.7)', () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [null, 'nil | - | -'],
    [true, ':bool | - | true'],
    [7, ':int | - | 7'],
    ['some "text"\n', ':string | 12 characters | "some \\"text\\"\\n"'],
    [[], '[:any] | 0 items | -'],
    [{}, ':map | 0 keys | {}'],
    [[1, 2, 3], '[:int] | 3 items | 1'],
    [[new JsonFloat(1), 2], '[:float] | 2 items | 1.0'],
    [[1, 'a'], '[:any] | 2 items | 1'],
    [[null, 1], '[:int?] | 2 items | 1'],
    [
      [
        { id: 'A-1', days: 2 },
        { id: 'A-2', note: null },
      ],
      '[{id :string, days? :int, note? nil}] | 2 items | {"id" "A-1", "days" 2}',
    ],
    [
      { rows: [{ n: 1 }], 'odd key': [] },
      '{rows [{n :int}], "odd key" [:any]} | 2 keys | {"rows" [{"n" 1}], "odd key" []}',
    ],
    [{ a: { b: { c: { d: 1 } } } }, '{a {b {c :map}}} | 1 key | {"a" {"b" {"c" {"d" 1}}}}'],
  ];
  for (const [value, expected] of rows) {
    it(expected, () => {
      expect(shape(value)).to.equal(expected);
    });
  }

  it('cuts a long example at 200 characters, and stays on one line', () => {
    const { example } = shapeOf('x\u2028\n😀'.repeat(5000));
    expect(example).to.have.length.within(196, 200);
    expect(example)
      .to.match(/^"x\\u2028\\n.* \.\.\.$/)
      .and.not.match(/[\n\u2028]/);
    expect(String(example).isWellFormed()).to.equal(true);
  });

  it('of very many keys names some, and of a type too long says less', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`a_rather_long_key_${String(n)}`, n]));
    const many = shapeOf(json(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${String(n)}`, n]))));
    expect(many.type).to.match(/^\{k\d+ :int, .*, and 24 more keys\}$/);
    expect(shapeOf(json(wide)).type).to.equal(':map');
    expect(shapeOf(json([wide])).type).to.equal('[:map]');
  });

  it('looks at the first elements of a long list', () => {
    const value = [...Array.from({ length: 20_000 }, (_, n) => n), 'late'];
    expect(shape(value)).to.equal('[:int] | 20001 items | 0');
  });
});
