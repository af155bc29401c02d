import { expect } from 'chai';
import { endingOf } from '../../system/ending.ts';
import * as sinon from 'sinon';
import { evaluation } from '../testing/requests.ts';
import { type Answer, ENDINGS } from '../wire/messages.ts';
import { HostedIsolate, type IsolateOwner } from './isolate.ts';
import type { HostState } from './losses.ts';

/** A host that answers a request when its isolate is disposed of, with `late`; null: only its death ends it. */
function hostThatStops(late: Answer | null) {
  let hostState: HostState = 'alive';
  const answered = Promise.withResolvers<Answer>();
  const died = Promise.withResolvers<void>();
  const owner: IsolateOwner = {
    connection: {
      async ask({ type }) {
        if (type === 'request') return answered.promise;
        if (type === 'heap_use') return { type, percent: 0 };
        if (late === null) return new Promise(() => undefined);
        answered.resolve(late);
        return { type: 'disposed' };
      },
    },
    died: died.promise,
    untilDeath: endingOf(died.promise).race,
    state: () => hostState,
    kill(why) {
      hostState = why;
      died.resolve();
    },
    startGrace(graceMs, onOver) {
      const timer = setTimeout(onOver, graceMs);
      return () => clearTimeout(timer);
    },
    drain: () => undefined,
    unregister: () => undefined,
    orphan: () => undefined,
    places: { reserve: () => 0, release: () => undefined },
    openBranch: () => {
      throw new Error('no branch is asked for');
    },
  };
  return owner;
}

const DISPOSED = { type: 'ended', ending: ENDINGS.disposed } as const;

describe('a bundle and a request whose time is over', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  const cases = [
    ['was still loading', { type: 'not_loaded', load: DISPOSED }, { attached: false, outcome: { status: 'timeout' } }],
    ['had been loaded', DISPOSED, { attached: true, outcome: { status: 'timeout' } }],
    [
      'cannot say any more, since its process was killed for it',
      null,
      { attached: true, outcome: { status: 'timeout' } },
    ],
  ] as const;
  for (const [title, late, expected] of cases) {
    it(`tells of an isolate that ${title}`, async () => {
      const isolate = new HostedIsolate({ name: '1', made: Promise.resolve(true) }, hostThatStops(late));
      const outcome = isolate.loadAndRequest('code', evaluation('1'), { timeoutMs: 50 });
      await clock.tickAsync(60_000);
      expect(await outcome).to.deep.equal(expected);
    });
  }
});
