import { expect } from 'chai';
import type { CallAnswer, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';
import { providerAdmission } from './admission/provider-admission.ts';
import { admittedSession } from './admitted-session.ts';

const REQUEST: CallRequest = {
  capabilityId: 'c',
  name: 'llm-request',
  arguments: '{}',
  deadlineMs: 1000,
  resultBytes: 10,
  model: null,
  keepsExchanges: false,
};
const SIDE: CallSide = { openGate: async () => true };
const ANSWER: CallAnswer = { outcome: { kind: 'value', value: '1', usage: null, finish: null }, exchanges: [] };

interface Served {
  readonly answer: (answer: CallAnswer) => void;
  cancelled: boolean;
}

/** A session whose calls are answered by the test. */
function session(kill: () => Promise<void> = async () => undefined): {
  readonly session: ProviderSession;
  readonly served: Served[];
} {
  const served: Served[] = [];
  const serve = (): ServedCall => {
    let settle: (answer: CallAnswer) => void = () => undefined;
    const answer = new Promise<CallAnswer>((resolve) => {
      settle = resolve;
    });
    const call: Served = { answer: settle, cancelled: false };
    served.push(call);
    return {
      answer,
      cancel: () => {
        call.cancelled = true;
      },
      kill,
    };
  };
  return {
    served,
    session: {
      capabilities: [],
      model: null,
      snapshot: { acquisition: '{}', unidentified: [], contentHash: null },
      hasActivity: false,
      lost: new Promise(() => undefined),
      ended: null,
      serve,
      share: null,
      close: async () => undefined,
    },
  };
}

const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const reasonOf = ({ outcome }: CallAnswer): string =>
  outcome.kind === 'error' ? `${outcome.reason} ${String(outcome.retryable)} ${String(outcome.proof)}` : outcome.kind;

describe('calls that take a place of the process (providers.md §14)', () => {
  it('are served when there is one, and give it back with their answer', async () => {
    const admission = providerAdmission({ active: 1, waiting: 1 });
    const { session: inner, served } = session();
    const admitted = admittedSession(inner, admission, 'a');
    const [first, second] = [admitted.serve(REQUEST, SIDE), admitted.serve(REQUEST, SIDE)];
    await turn();
    expect(served).to.have.length(1);
    served[0]?.answer(ANSWER);
    expect(reasonOf(await first.answer)).to.equal('value');
    await turn();
    expect(served).to.have.length(2);
    served[1]?.answer(ANSWER);
    await second.answer;
    expect(admission.counts()).to.include({ active: 0, waiting: 0 });
  });

  it('are refused without having been sent', async () => {
    const admission = providerAdmission({ active: 1, waiting: 0 });
    const { session: inner, served } = session();
    const admitted = admittedSession(inner, admission, 'a');
    admitted.serve(REQUEST, SIDE);
    expect(reasonOf(await admitted.serve(REQUEST, SIDE).answer)).to.equal('capacity_exhausted true not_dispatched');
    expect(served).to.have.length(1);
  });

  it('that wait are given up like others, and never served', async () => {
    const admission = providerAdmission({ active: 1, waiting: 9 });
    const { session: inner, served } = session();
    const admitted = admittedSession(inner, admission, 'a');
    const first = admitted.serve(REQUEST, SIDE);
    const [cancelled, killed] = [admitted.serve(REQUEST, SIDE), admitted.serve(REQUEST, SIDE)];
    await turn();
    cancelled.cancel();
    await killed.kill();
    expect([reasonOf(await cancelled.answer), reasonOf(await killed.answer)]).to.deep.equal([
      'unavailable false not_dispatched',
      'unavailable false not_dispatched',
    ]);
    expect(admission.counts()).to.include({ active: 1, waiting: 0 });
    first.cancel();
    expect(served[0]?.cancelled).to.equal(true);
    expect(admission.counts()).to.include({ active: 1 });
    await first.kill();
    expect(admission.counts()).to.include({ active: 0 });
    expect(served).to.have.length(1);
  });

  it('whose end cannot be proved fence their lane', async () => {
    const admission = providerAdmission({ active: 2, waiting: 9 });
    const { session: inner } = session(async () => Promise.reject(new Error('it goes on')));
    const admitted = admittedSession(inner, admission, 'a');
    const call = admitted.serve(REQUEST, SIDE);
    await turn();
    expect(
      await call.kill().then(
        () => 'ended',
        () => 'unproved',
      ),
    ).to.equal('unproved');
    expect(admission.serves('a')).to.equal(false);
    expect(reasonOf(await admitted.serve(REQUEST, SIDE).answer)).to.equal('admission_unavailable false not_dispatched');
  });

  it('need none where there is no gate', () => {
    const { session: inner } = session();
    expect(admittedSession(inner, null, 'a')).to.equal(inner);
  });
});
