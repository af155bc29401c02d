import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { classificationJson, classifyValue } from './classify.ts';
import { compileContract } from './compile.ts';

function json(plain: unknown) {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new Error('a test writes JSON');
  return value;
}

function classified(schema: unknown, value: unknown): string {
  const compiled = compileContract(json(schema));
  if (!compiled.ok) throw new Error(compiled.faults[0].rule);
  return canonicalJson(
    classificationJson(classifyValue(compiled.schema.root, value === undefined ? undefined : json(value))),
  );
}

const person = {
  type: 'object',
  properties: { age: { type: 'integer', minimum: 0 }, name: { type: 'string' } },
  required: ['name', 'age'],
};

describe('structured feedback on a value (documents.md §4)', () => {
  it('tells names of the contract and counts of the value', () => {
    expect(classified(person, { secret: 1, hidden: 2 })).to.equal(
      '{"json_value":true,"value_kind":"object","violations":[{"allowed_keys":["age","name"],"kind":"required","missing_required":["age","name"],"path":"","undeclared_key_count":2,"undeclared_keys":["secret","hidden"]}]}',
    );
  });

  it('tells the expected type and the given one', () => {
    expect(classified(person, { age: 'secret', name: 'x' })).to.contain(
      '{"expected_type":"integer","given_type":"string","kind":"type","path":"/age"}',
    );
    expect(classified(person, ['secret'])).to.contain('"expected_type":"object","given_type":"array"');
  });

  it('tells no key that is no plain name', () => {
    expect(classified(person, { name: 'x', age: 1, '</secret>': 1 }))
      .to.contain('"undeclared_key_count":1')
      .and.not.contain('secret');
  });

  it('tells numeric bounds', () => {
    expect(classified(person, { age: -1, name: 'secret' })).to.contain('{"expected":0,"kind":"minimum","path":"/age"}');
  });

  it('says of parts that are no JSON only that', () => {
    expect(classified(person, undefined)).to.equal('{"json_value":false,"value_kind":"other","violations":[]}');
  });

  it('tells the branch, or the tags', () => {
    const branch = (tag: string) => ({
      type: 'object',
      properties: { kind: { type: 'string', const: tag } },
      required: ['kind'],
      additionalProperties: false,
    });
    const union = { oneOf: [branch('x'), branch('y')] };
    expect(classified(union, { kind: 'x', secret: 1 }))
      .to.contain('"branch":"x"')
      .and.contain('"undeclared_keys":["secret"]');
    expect(classified(union, { kind: 'secret' }))
      .to.contain('"expected_tags":["x","y"]')
      .and.not.contain('secret');
  });

  it('counts long lists and stops after eight places', () => {
    const properties = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`p${i}`, { type: 'integer' }]));
    const text = classified(
      { type: 'object', properties },
      Object.fromEntries(Object.keys(properties).map((name) => [name, 'x'])),
    );
    expect(text.match(/"kind":"type"/g)).to.have.length(8);
    expect(classified({ type: 'object', properties }, { secret: 1 })).to.contain(
      '"allowed_keys_count":33,"allowed_keys_truncated":true',
    );
  });
});
