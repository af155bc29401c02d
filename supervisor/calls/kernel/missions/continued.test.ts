import { expect } from 'chai';
import type { EvaluateReply, StoredContinuation } from '../../../../contract/sandbox-protocol.ts';
import { continuationOf } from './continued.ts';

const BEFORE = {
  definitions: 'defined',
  history: ['h'],
  definedCount: 2,
  memoryBytes: 7,
  historyBytes: 1,
  largestHistoryBytes: 1,
};

function reply(continuation: Partial<StoredContinuation> | undefined, refusal?: 'memory_exceeded'): EvaluateReply {
  const stored = {
    definitions: 'é',
    history: ['é', 'xyz'],
    defined_count: 9,
    history_count: 2,
    memory_bytes: 99,
    history_bytes: 99,
    ...continuation,
  };
  return {
    outcome: 'continued',
    value: '1',
    projection_fault: null,
    prints: [],
    ...(continuation === undefined ? {} : { continuation: stored }),
    ...(refusal === undefined ? {} : { commit_refusal: refusal }),
  };
}

describe('what a reply leaves to commit', () => {
  it('is what it says, with sizes that are taken here', () => {
    expect(continuationOf(reply({}), { continuation: BEFORE, revision: 3 })).to.deep.equal({
      definitions: 'é',
      history: ['é', 'xyz'],
      definedCount: 9,
      memoryBytes: 2,
      historyBytes: 5,
      largestHistoryBytes: 3,
    });
  });

  it('keeps the definitions it went on from where it says that they are unchanged', () => {
    expect(
      continuationOf(reply({ definitions: '', is_unchanged: true }), { continuation: BEFORE, revision: 3 }),
    ).to.deep.equal({ ...BEFORE, history: ['é', 'xyz'], historyBytes: 5, largestHistoryBytes: 3 });
  });

  it('is nothing where it says so and there are none', () => {
    expect(
      continuationOf(reply({ definitions: '', is_unchanged: true }), { continuation: null, revision: 0 }),
    ).to.equal(null);
  });

  it('is nothing with more history than there can be, and without a continuation', () => {
    expect(continuationOf(reply({ history: ['1', '2', '3', '4'] }), { continuation: null, revision: 0 })).to.equal(
      null,
    );
    expect(continuationOf(reply(undefined), { continuation: null, revision: 0 })).to.equal(null);
  });

  it('is the refusal of a guest that has no room', () => {
    expect(continuationOf(reply(undefined, 'memory_exceeded'), { continuation: BEFORE, revision: 3 })).to.equal(
      'memory_exceeded',
    );
  });
});
