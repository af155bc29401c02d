import { expect } from 'chai';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import type { StaticAuth } from '../declaration.ts';
import { credentialHeaders } from './credential-headers.ts';

const keyed = (value: string, auth: readonly StaticAuth[]) =>
  credentialHeaders(auth, new Map([['key', new Secret(value)]]));
const own = (header: string): StaticAuth => ({ scheme: 'api_key', credential: 'key', header });

describe('headers that carry credentials (providers.md §4, §7.2)', () => {
  it('are as their schemes have them, each value as it was given', () => {
    expect(keyed('a b', [{ scheme: 'bearer', credential: 'key' }])).to.deep.equal({ authorization: 'Bearer a b' });
    expect(keyed('dTpw', [{ scheme: 'basic', credential: 'key' }])).to.deep.equal({ authorization: 'Basic dTpw' });
    expect(keyed('v', [own('X-Key'), own('X-Other')])).to.deep.equal({ 'x-key': 'v', 'x-other': 'v' });
    expect(keyed('v', [])).to.deep.equal({});
  });

  for (const value of ['a\r\nb', 'a\nb', 'a\rb', 'a\u0000', 'a\u007f', 'ł'])
    it(`cannot carry ${JSON.stringify(value)}`, () => expect(keyed(value, [own('x-key')])).to.equal(null));
  for (const value of ['a\tb', 'é', '~'])
    it(`carry ${JSON.stringify(value)}`, () => expect(keyed(value, [own('x-key')])).to.deep.equal({ 'x-key': value }));

  it('cannot carry what is not there', () => expect(credentialHeaders([own('x-key')], new Map())).to.equal(null));

  for (const [count, fits] of [
    [31, true],
    [32, true],
    [33, false],
  ] as const) {
    it(`are ${fits ? '' : 'not '}sent where they are ${count}`, () =>
      expect(
        keyed(
          'v',
          Array.from({ length: count }, (_, at) => own(`x-${at}`)),
        ) !== null,
      ).to.equal(fits));
  }
  for (const [bytes, fits] of [
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ] as const) {
    it(`are ${fits ? '' : 'not '}sent with ${bytes} bytes`, () =>
      expect(keyed('v'.repeat(bytes - 'x-key'.length), [own('x-key')]) !== null).to.equal(fits));
  }
});
