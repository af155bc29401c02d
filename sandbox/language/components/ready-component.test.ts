import { expect } from 'chai';
import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import { newSession } from '../link/new-session.ts';
import { compileBundle, compileComponents } from './compile-bundle.ts';
import { readReady, writeReady } from './ready-component.ts';

const BASE: ComponentSource = {
  id: 'base',
  source: `(ns base "Below." {:visibility :discoverable})
(def limit "How many." 3)
(defn- twice [n] (* 2 n))
(defn ask {:signature "(n :int) -> :any"} [n] (tool/search {:n (twice n)}))
(defmulti shape :kind)
(defmethod shape :box [_] (ask limit))`,
  dependencies: [],
};
const MIDDLE: ComponentSource = {
  id: 'middle',
  source: '(ns middle (:require [base]))\n(defn ask-twice [n] [(base/ask n) (base/shape {:kind :box})])',
  dependencies: ['base'],
};
const OWN: ComponentSource = {
  id: 'own',
  source: '(ns own (:require [middle]))\n(defn run [input] (middle/ask-twice input))',
  dependencies: ['middle'],
};

function ready(source: ComponentSource, compiler?: string): ComponentSource {
  const set = compileComponents(newSession(), [BASE, MIDDLE]);
  const compiled = 'compiled' in set ? set.compiled.find(({ component }) => component.id === source.id) : undefined;
  if (compiled === undefined) throw new Error(JSON.stringify(set));
  return { ...source, ready: writeReady(compiled, compiler) };
}

function compile(...components: readonly ComponentSource[]): unknown {
  return compileBundle({ operation: 'compile', environment: 'workflow', components });
}

describe('components that come compiled', () => {
  const expected = compile(BASE, MIDDLE, OWN);

  it('make the same bundle as their sources', () => {
    expect(expected).to.include({ status: 'compiled' });
    expect(compile(ready(BASE), ready(MIDDLE), OWN)).to.deep.equal(expected);
    expect(compile(ready(BASE), MIDDLE, OWN)).to.deep.equal(expected);
  });

  it('are not compiled again', () => {
    const { ready: text = '', ...source } = ready(BASE);
    const marked = { ...source, ready: text.replace('"How many."', '"So many."') };
    expect(JSON.stringify(compile(marked, MIDDLE, OWN))).to.include('So many.');
  });

  it('are compiled where they come from another compiler, or another text', () => {
    expect(readReady(ready(BASE))).to.not.equal(null);
    expect(readReady(ready(BASE, 'another'))).to.equal(null);
    expect(readReady({ ...ready(BASE), source: '(ns base)' })).to.equal(null);
    expect(readReady({ ...ready(BASE), id: 'other' })).to.equal(null);
    expect(compile(ready(BASE, 'another'), MIDDLE, OWN)).to.deep.equal(expected);
  });

  it('are compiled where what they build on is not what they were compiled against', () => {
    const other = { ...BASE, source: '(ns base)\n(defn ask [a b] [a b])\n(defn shape [s] s)' };
    const built = compile(other, ready(MIDDLE), OWN);
    expect(built).to.deep.equal(compile(other, MIDDLE, OWN));
    expect(built).to.include({ status: 'refused' });
  });

  it('are refused as their sources are where another component has declared their namespace', () => {
    const first = { id: 'a', source: '(ns base)', dependencies: [] };
    const built = compile(first, ready(BASE));
    expect(built).to.deep.equal(compile(first, BASE));
    expect(built).to.include({ status: 'refused' });
  });
});
