import { expect } from 'chai';
import { readChallenge } from './challenge.ts';

const of = (field: string | readonly string[]): ReturnType<typeof readChallenge> =>
  readChallenge({ 'www-authenticate': field });
const said = (more: object = {}): object => ({ scopes: null, resourceMetadata: null, error: null, ...more });

describe('what a server says of how it is authorised (providers.md §9, "Discovery")', () => {
  const read: readonly (readonly [string | readonly string[], object])[] = [
    ['Bearer', said()],
    ['bearer scope="read write read"', said({ scopes: ['read', 'write'] })],
    [
      'Bearer error="insufficient_scope", scope=read, resource_metadata="https://a.example/x,y"',
      said({ error: 'insufficient_scope', scopes: ['read'], resourceMetadata: 'https://a.example/x,y' }),
    ],
    [String.raw`Bearer realm="a \"b\", c", error=invalid_token`, said({ error: 'invalid_token' })],
    ['Negotiate abc==, Basic realm="Bearer x", Bearer scope = "read"', said({ scopes: ['read'] })],
    [['Basic realm=a', 'Bearer scope=read'], said({ scopes: ['read'] })],
    ['Digest realm="a", nonce="b"', said()],
    ['', said()],
  ];
  for (const [field, expected] of read)
    it(`is read: ${JSON.stringify(field)}`, () => expect(of(field)).to.deep.equal(expected));

  for (const field of [
    'Bearer scope="read',
    'Bearer scope=read scope=write',
    'Bearer scope=a, scope=b',
    'scope=read',
    'Bearer scope="a\\"b"',
    'Bearer, Bearer',
    '"read"',
    'Bearer =',
  ]) {
    it(`is none: ${field}`, () => expect(of(field)).to.equal(null));
  }

  for (const [count, isRead] of [
    [15, true],
    [16, true],
    [17, false],
  ] as const) {
    it(`is ${isRead ? '' : 'not '}read in ${count} fields`, () =>
      expect(of(Array.from({ length: count }, () => 'Basic')) !== null).to.equal(isRead));
  }
  for (const [bytes, isRead] of [
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ] as const) {
    it(`is ${isRead ? '' : 'not '}read in ${bytes} bytes`, () =>
      expect(of(`Basic ${'a'.repeat(bytes - 'Basic '.length)}`) !== null).to.equal(isRead));
  }
});
