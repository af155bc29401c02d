import { expect } from 'chai';
import { inspect } from 'node:util';
import { Secret } from './credentials.ts';

describe('a secret (providers.md §5.7)', () => {
  const secret = new Secret('sk-planted');
  const shown: readonly (readonly [string, () => string])[] = [
    ['in a text', () => String(secret)],
    ['as JSON', () => JSON.stringify({ secret })],
    ['inspected', () => inspect({ secret: [secret] }, { depth: 9, showHidden: true })],
    ['in a clone', () => inspect(structuredClone({ secret }), { depth: 9, showHidden: true })],
    ['by its members', () => JSON.stringify(Reflect.ownKeys(secret).map(String))],
    ['in an error', () => inspect(new Error('lost', { cause: secret }))],
  ];
  for (const [how, show] of shown) {
    it(`is not shown ${how}`, () => {
      expect(show()).not.to.contain('planted');
    });
  }

  it('is told to whoever asks for it', () => {
    expect(secret.reveal()).to.equal('sk-planted');
  });
});
