import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { compileContract } from '../contracts/compile.ts';
import type { Contract } from '../contracts/load.ts';
import { parseDocument } from '../json-document.ts';
import { explainContractValue } from './contract-value.ts';

function contract(text: string): Contract {
  const bytes = new TextEncoder().encode(text);
  const parsed = parseDocument(bytes, bytes.length);
  const compiled = parsed.ok ? compileContract(parsed.document.value) : null;
  if (compiled?.ok !== true) throw new Error('no contract');
  return {
    ...compiled.schema,
    name: 'result.schema.json',
    bytes,
    sourceHash: '',
    behaviourHash: `sha256:${'0'.repeat(64)}`,
  };
}

function explainTexts(text: string, value: JsonValue): readonly string[] {
  const explanation = explainContractValue(contract(text), null, value, ({ path }) =>
    diagnostic('result_contract_failed', { path }),
  );
  return (explanation?.faults ?? []).map(
    ({ place, problem, remedy }) =>
      `${String(place?.line)}:${String(place?.column)} ${place?.within ?? '-'} | ${problem ?? '-'} | ${remedy ?? '-'}`,
  );
}

const ITEM = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}';
const OBJECT = `{"type": "object",\n"properties": {"a": {"type": "integer", "maximum": 9},\n"b": {"type": "array",\n"items": ${ITEM}}}}`;
const UNION =
  '{"oneOf": [\n{"type": "object", "properties": {"kind": {"type": "string", "const": "x"}}, "required": ["kind"]},\n{"type": "object", "properties": {"kind": {"type": "string", "const": "y"}}, "required": ["kind"]}]}';

describe('a value that misses its contract, where the contract demands it', () => {
  it('is told at the declared property and at the item of a list', () => {
    expect(
      explainTexts(
        OBJECT,
        new Map<string, JsonValue>([
          ['a', 10],
          ['b', [new Map([['n', 's3cret']])]],
        ]),
      ),
    ).to.deep.equal([
      '2:16 - | the number is above 9 | return an integer up to 9',
      '4:44 /b/0/n | an integer is wanted here | return an integer',
    ]);
  });

  it('is told of an undeclared member at the object that has none, without its name', () => {
    const [fault = '', ...others] = explainTexts(OBJECT, new Map([['s3cret', 1]]));
    expect(fault).to.equal('1:1 - | the member is unknown here | remove it, or write a or b');
    expect(others).to.deep.equal([]);
  });

  it('is told in the branch that the value chose, or at all of them', () => {
    expect(
      explainTexts(
        UNION,
        new Map<string, JsonValue>([
          ['kind', 'y'],
          ['s3cret', 1],
        ]),
      )[0],
    ).to.match(/^3:1 - \| the member is unknown/u);
    expect(explainTexts(UNION, new Map([['kind', 's3cret']]))).to.deep.equal([
      '1:2 - | the value is none of "x", "y" | return one of these',
    ]);
  });

  it('is nothing for a value that satisfies it', () => {
    expect(explainTexts(OBJECT, new Map([['a', 1]]))).to.deep.equal([]);
  });
});
