import { expect } from 'chai';
import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { component, guestUnderTest } from './testing/guest-under-test.ts';

function faultOf(guest: ReturnType<typeof guestUnderTest>, source: string): EvaluationFault {
  const reply = guest.evaluate(source);
  if (reply.outcome === 'evaluation_error') return reply.fault;
  throw new Error(`${source} gave ${reply.value ?? ''}`);
}

describe('faults of an evaluation (language.md §13, §17)', () => {
  it('name the form that was running by its bytes, line and column', () => {
    const fault = faultOf(guestUnderTest(), '"é"\n  (inc nil)');
    expect(fault.span).to.deep.equal({ start_byte: 7, end_byte: 16 });
    expect(fault.details).to.deep.equal({ line: 2, column: 3 });
  });

  it('keep the names of a component that are private to it out of messages', () => {
    const guest = guestUnderTest();
    const source =
      '(ns app) (defn- helper [x] x) (defn export [] (apply helper [1 2])) (defn open [x] x) (declare ^:private later) (defn early [] (later)) (defn told [] (throw (ex-info "app/helper" {})))';
    const reply = guest.compile([component('app', source)]);
    if (reply.status !== 'compiled') throw new Error(reply.fault.message);
    guest.load(reply.code);
    const fault = faultOf(guest, '(app/export)');
    expect(fault).to.include({
      reason: 'arity_error',
      message: 'Wrong number of args (2) passed to: a private name that app/export uses',
    });
    expect(fault.public_error).to.deep.equal({
      kind: 'arity_error',
      message: 'a function was called with a wrong number of arguments',
    });
    expect(faultOf(guest, '(app/early)').message).to.equal('Var is not bound: a private name that app/early uses');
    expect(faultOf(guest, '(app/told)').message).to.equal('app/helper');
    expect(faultOf(guest, '(apply app/open [])').message).to.equal(
      'Wrong number of args (0) passed to: app/open; it takes [x]',
    );
  });
});
