import { expect } from 'chai';
import type { CompileFault } from '../../../contract/sandbox-protocol.ts';
import type { Component } from '../../documents/components/read.ts';
import { missingNamespaceRemedy } from './missing-namespace.ts';

function component(id: string): Component {
  return { id, dependencies: [], bytes: new Uint8Array(), sourceName: `${id}.clj`, sourceHash: '', origin: 'local' };
}

const LIBRARIES = new Map([['kernel', { id: 'kernel', dependencies: [], source: new Uint8Array() }]]);

function remedy(namespace: string, fault: Partial<CompileFault> = {}): string | null {
  const whole = {
    reason: 'unknown_namespace',
    message: `No such namespace: ${namespace}`,
    component: 'main',
    span: null,
    details: { rejected_namespace: namespace },
    ...fault,
  };
  return missingNamespaceRemedy(whole, [component('main'), component('helper')], LIBRARIES);
}

describe('how a component comes to a namespace', () => {
  it('is a dependency on a component, or on a library that is selected', () => {
    expect(remedy('helper')).to.equal('add "helper" to "dependencies" of the component main');
    expect(remedy('kernel', { message: 'Unknown namespace: kernel; there are json' })).to.equal(
      'add {"library": "kernel"} to "components", and "kernel" to "dependencies" of the component main',
    );
  });

  it('is the nearest of them for a name that is misspelt', () => {
    expect(remedy('helpr')).to.equal('did you mean helper? add "helper" to "dependencies" of the component main');
    expect(remedy('kernal')).to.match(/^did you mean kernel\? add \{"library": "kernel"\}/);
    expect(remedy('orders')).to.equal(
      'list in "components" the one that holds (ns orders), and its id in "dependencies" of the component main',
    );
  });

  it('is left to the compiler where it knows better, and to others for other faults', () => {
    expect(remedy('st', { message: 'No such namespace: st (did you mean str/join?)' })).to.equal(null);
    expect(remedy('System', { message: 'No such namespace: System; there is no process' })).to.equal(null);
    expect(remedy('helper', { reason: 'parse_error' })).to.equal(null);
    expect(remedy('helper', { component: null })).to.equal(null);
    expect(remedy('helper', { details: {} })).to.equal(null);
  });
});
