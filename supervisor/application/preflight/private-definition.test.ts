import { expect } from 'chai';
import type { Component } from '../../documents/components/read.ts';
import { privateNameRemedy } from './private-definition.ts';

function component(id: string, source: string): Component {
  return { id, dependencies: [], bytes: Buffer.from(source), sourceName: `${id}.clj`, sourceHash: '', origin: 'local' };
}

const COMPONENTS = [
  component('main', '(ns main)\n(defn- own [] 1)'),
  component(
    'helper',
    '(ns helper)\n(defn- secret [x] x)\n(def ^:private rate 2)\n(defn open [x] x)\n(defn- eval-all! [x] x)',
  ),
];

function remedy(...names: readonly unknown[]): string | null {
  return privateNameRemedy(
    { reason: 'unbound_var', message: 'm', component: 'main', span: null, details: { unbound_names: names } },
    COMPONENTS,
  );
}

describe('a name that another component keeps to itself', () => {
  it('is known by its definition', () => {
    expect(remedy('helper/secret')).to.equal(
      'it is private in the component helper: write defn there, or call what is public',
    );
    expect(remedy('helper/rate')).to.match(/^it is private/);
    expect(remedy('helper/eval-all!')).to.match(/^it is private/);
  });

  it('is no other name', () => {
    for (const name of [
      'helper/open',
      'helper/none',
      'helper/no-such?',
      'other/secret',
      'main/own',
      'secret',
      7,
      undefined,
    ])
      expect(remedy(name), String(name)).to.equal(null);
  });
});
