import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { arbitraryJson } from './arbitrary-json.ts';
import { canonicalJson } from './canonical.ts';
import { identityPreimage, identityText } from './identity.ts';
import { jsonFromPlain } from './plain.ts';
import { JsonFloat, type JsonValue } from './value.ts';

const SAMPLE: JsonValue = new Map<string, JsonValue>([
  ['b', [1, new JsonFloat(1), 10n ** 20n, new JsonFloat(-0)]],
  ['a', new Map<string, JsonValue>([['é"', null]])],
  ['c', [true, 'x', [], new Map()]],
]);

describe('identity encoding (documents.md §10)', () => {
  it('names the class of every value', () => {
    expect(identityText(SAMPLE)).to.equal(
      '["object",[' +
        '["a",["object",[["é\\"",["null"]]]]],' +
        '["b",["array",[["integer","1"],["float64","3ff0000000000000"],["integer","100000000000000000000"],' +
        '["float64","8000000000000000"]]]],' +
        '["c",["array",[["boolean",true],["string","x"],["array",[]],["object",[]]]]]]]',
    );
  });

  it('puts domain, zero byte and length before the encoding', () => {
    const preimage = identityPreimage('svc.bundle.v1', 'é');
    expect(Buffer.from(preimage).toString('latin1')).to.equal(
      `svc.bundle.v1\0\0\0\0\0\0\0\0\x0f${Buffer.from('["string","é"]').toString('latin1')}`,
    );
  });

  it('keeps the digest of its sample', () => {
    expect(createHash('sha256').update(identityPreimage('svc.sample.v1', SAMPLE)).digest('hex')).to.equal(
      '4fe788a8cb2defad90409427cf15cc203dd52dd8e03abe4d0501ae426a9388b9',
    );
  });

  it('is canonical JSON, and equal exactly for equal values', () => {
    fc.assert(
      fc.property(arbitraryJson, arbitraryJson, (left, right) => {
        expect(rewritten(identityText(left))).to.equal(identityText(left));
        expect(identityText(left) === identityText(right)).to.equal(canonicalJson(left) === canonicalJson(right));
      }),
    );
  });
});

/** The canonical form of a JSON text. */
function rewritten(text: string): string | undefined {
  const value = jsonFromPlain(JSON.parse(text));
  return value === undefined ? undefined : canonicalJson(value);
}
