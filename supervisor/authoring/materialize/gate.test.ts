import { expect } from 'chai';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { gateFindings } from './gate.ts';

const NAMESPACES = [
  { name: 'own', component: 'one', doc: null },
  { name: 'other', component: 'two', doc: null },
];

function fact(ref: string, changed: Partial<ExportFact> = {}): ExportFact {
  return {
    ref,
    kind: 'function',
    arities: [1],
    variadic_from: null,
    requirements: [],
    effect: 'unknown',
    visibility: 'prompt',
    doc: 'Says.',
    contract: '() -> :any',
    ...changed,
  };
}

describe('the gate of a candidate (cli.md §10)', () => {
  const found = (installed: readonly ExportFact[], candidate: readonly ExportFact[], acceptsWidened = false) =>
    gateFindings({
      component: 'one',
      installed: { exports: installed, namespaces: NAMESPACES },
      candidate: { exports: candidate, namespaces: NAMESPACES },
      acceptsWidened,
    });
  const G2 = (ref: string) => [{ check: 'G2', exports: [ref] }];
  const G3 = (ref: string) => [{ check: 'G3', exports: [ref] }];

  for (const [what, fact2, finding] of [
    ['nothing that a prompt shows', fact('own/f', { doc: null, contract: null, visibility: 'discoverable' }), []],
    ['nothing of another component', fact('other/f', { doc: null }), []],
    ['one without a docstring', fact('own/f', { doc: null }), G2('own/f')],
    ['one with an empty docstring', fact('own/f', { doc: '' }), G2('own/f')],
    ['one without a signature', fact('own/f', { contract: null }), G2('own/f')],
    ['a constant without a type', fact('own/f', { kind: 'constant', contract: null }), G2('own/f')],
  ] as const) {
    it(`finds of descriptions ${what}`, () => {
      expect(found([fact2], [fact2])).to.deep.equal(finding);
    });
  }

  const effects = ['read', 'unknown', 'write'] as const;
  for (const [from, before] of effects.entries()) {
    for (const [to, after] of effects.entries()) {
      it(`takes ${before} to ${after} for ${to > from ? 'wider' : 'no wider'}, wherever it shows`, () => {
        for (const ref of ['own/f', 'other/f']) {
          expect(found([fact(ref, { effect: before })], [fact(ref, { effect: after })])).to.deep.equal(
            to > from ? G3(ref) : [],
          );
          expect(found([fact(ref, { effect: before })], [fact(ref, { effect: after })], true)).to.deep.equal([]);
        }
      });
    }
  }

  it('holds further requirements against it, and none that were there', () => {
    const [one, both] = [
      fact('own/f', { requirements: ['tool:a'] }),
      fact('own/f', { requirements: ['tool:a', 'tool:b'] }),
    ];
    expect([found([one], [both]), found([both], [one]), found([one], [both], true)]).to.deep.equal([
      G3('own/f'),
      [],
      [],
    ]);
  });

  it('lets exports come that ask nothing, and none go', () => {
    expect(found([], [fact('own/f')])).to.deep.equal([]);
    expect(found([], [fact('own/f', { effect: 'write' })])).to.deep.equal(G3('own/f'));
    expect(found([], [fact('own/f', { requirements: ['tool:a'] })])).to.deep.equal(G3('own/f'));
    for (const acceptsWidened of [false, true])
      expect(found([fact('own/f')], [], acceptsWidened)).to.deep.equal(G3('own/f'));
  });

  it('tells every check that failed, with the names in order', () => {
    expect(
      found([fact('own/z'), fact('own/a')], [fact('own/f', { doc: null }), fact('own/e', { doc: null })]),
    ).to.deep.equal([
      { check: 'G2', exports: ['own/e', 'own/f'] },
      { check: 'G3', exports: ['own/a', 'own/z'] },
    ]);
  });
});
