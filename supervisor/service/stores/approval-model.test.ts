import { expect } from 'chai';
import type { ApprovalDecision } from '../../../contract/approval.ts';
import { stepBook } from '../../calls/approvals/book.ts';
import type { ApprovalStore } from './approval-store.ts';
import { createMemoryApprovals } from './memory-approvals.ts';
import { START } from './testing/approval-contract.ts';
import { exploreApprovals, ModelViolation, type ModelledParts } from './testing/approval-model.ts';

const ann: ApprovalDecision = { decision: 'allow', scope: 'once', by: 'api', principal: 'ann' };
const bob: ApprovalDecision = { decision: 'deny', scope: 'once', by: 'cli', principal: 'bob' };

describe('the model of approvals: ask, decide, expire, cancel, resume (64)', () => {
  interface Modelled {
    readonly decisions: readonly ApprovalDecision[];
    readonly faults: number;
    readonly states: number;
  }
  // `bench/approval-interleavings.ts` has two parties and an answer that is lost.
  const modelled: Readonly<Record<string, Modelled>> = {
    'two parties decide about one call each': { decisions: [ann, bob], faults: 0, states: 40_439 },
    'they decide about the tool, and one call': {
      decisions: [{ ...ann, scope: 'tool' }, bob],
      faults: 0,
      states: 41_183,
    },
    'they decide about one call, and the run': {
      decisions: [ann, { ...bob, scope: 'run' }],
      faults: 0,
      states: 40_319,
    },
    'one party decides, and an answer may be lost': { decisions: [bob], faults: 1, states: 20_334 },
  };
  for (const [name, { decisions, faults, states }] of Object.entries(modelled))
    it(`holds in every state where ${name}`, async function () {
      this.timeout(120_000);
      const explored = await exploreApprovals(decisions, { faults });
      process.stdout.write(
        `        ${explored.states} states, ${explored.steps} steps, all within ${explored.depth}\n`,
      );
      // What changes what can happen changes this number: look at why, then write down the new one.
      expect(explored.states).to.equal(states);
      expect([...explored.ends].toSorted()).to.deep.equal([
        'decided',
        'expired',
        'gone',
        ...(faults === 0 ? [] : ['unavailable']),
      ]);
    });

  const broken: Readonly<Record<string, { readonly parts: Partial<ModelledParts>; readonly found: RegExp }>> = {
    'a store that keeps the last decision': {
      parts: {
        store: () => {
          const store = createMemoryApprovals(() => START);
          return {
            ...bound(store),
            decide: async (id, tenant, decision) => {
              const storedApproval = await store.get(id);
              if (storedApproval === null) return 'unknown';
              await store.remove(id);
              await store.put(storedApproval.request);
              return store.decide(id, tenant, decision);
            },
          };
        },
      },
      found: /two parties|that is kept changed|expired that was decided/,
    },
    'a store that says nothing of a decision when the time is over': {
      parts: {
        store: () => {
          const store = createMemoryApprovals(() => START);
          return {
            ...bound(store),
            expire: async (id) => {
              const storedApproval = await store.get(id);
              if (storedApproval === null) return null;
              await store.remove(id);
              await store.put(storedApproval.request);
              return store.expire(id);
            },
          };
        },
      },
      found: /that is kept changed|another decision is kept/,
    },
    'a book in which each question stays open': {
      parts: {
        step: (book, event) => {
          const stepped = stepBook(book, event);
          return event.event === 'call' ? stepped : { ...stepped, book: { ...stepped.book, open: book.open } };
        },
      },
      found: /ended twice/,
    },
    'a book that hears of no expiry': {
      parts: {
        step: (book, event) => (event.event === 'expired' ? { book, ended: [], asks: false } : stepBook(book, event)),
      },
      found: /has no end/,
    },
    'a book that takes each no for a yes': {
      parts: {
        step: (book, event) =>
          stepBook(
            book,
            event.event === 'decision' ? { ...event, decision: { ...event.decision, decision: 'allow' } } : event,
          ),
      },
      found: /another decision than is kept/,
    },
  };
  for (const [fault, { parts, found }] of Object.entries(broken))
    it(`finds ${fault}`, async () => {
      const violation: unknown = await exploreApprovals([ann, bob], { faults: 0, parts }).catch(
        (error: unknown) => error,
      );
      expect(violation).to.be.instanceOf(ModelViolation);
      expect(String(violation)).to.match(found);
    });
});

function bound(store: ApprovalStore): ApprovalStore {
  return {
    put: (request) => store.put(request),
    decide: (id, tenant, decision) => store.decide(id, tenant, decision),
    expire: (id) => store.expire(id),
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    watch: (ids, signal) => store.watch(ids, signal),
    remove: (id) => store.remove(id),
  };
}
