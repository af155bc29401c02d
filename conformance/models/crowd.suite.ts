import { expect } from 'chai';
import { ModelRoom } from './room.ts';

const AGENTS = 32;
const PER_SECOND = 10;

/** Each has one turn, in which its program gives its number back. */
const FILES = {
  'main.clj': `(ns main)
(defn run [_]
  (mapv :value (pmap (fn [n] (agent.core/run-outcome (str "Give back " n ".") {})) (range ${AGENTS}))))`,
};
const LIMITS = { live_provider_tasks: AGENTS, run_duration_ms: 110_000, workflow_timeout_ms: 110_000 };

describe('many agents under one limit of requests (world.md §1.4, §4)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  it(`${AGENTS} agents that begin at once under ${PER_SECOND} requests a second all end well`, async () => {
    await room.serve(
      [
        {
          times: 'any',
          action: { answer: { toolCalls: [{ name: 'run_svc_lisp', args: { program: '(return :done)' } }] } },
        },
      ],
      { requestsPerSecond: PER_SECOND },
    );
    const { status, value, stderr } = await room.run({
      files: FILES,
      install: { small: room.model({ retry: {} }) },
      hostLimits: LIMITS,
      limits: LIMITS,
      manifest: {
        workflow: {
          components: [{ library: 'agent.core' }, { id: 'main', path: 'main.clj', dependencies: ['agent.core'] }],
          entry: 'main/run',
        },
        missions: { default: {} },
      },
    });
    expect(status, stderr).to.equal(0);
    expect(value).to.deep.equal(Array.from({ length: AGENTS }, () => 'done'));
    // Three attempts each at most: nobody was turned down for good.
    expect(room.server.requests.length).to.be.within(AGENTS, 3 * AGENTS);
  });
});
