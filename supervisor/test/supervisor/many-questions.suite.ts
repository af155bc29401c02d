/** Programs that ask without end (approvals.md §4, lines 19 and 45): bounds hold, each call has its answer. */
import { expect } from 'chai';
import {
  defineCustomInstallation,
  type ApprovalRequest,
  type PreparedApplication,
  type Supervisor,
} from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const CALLS = 10_000;
const MOST_ASKS = 50;
/** Of this process, garbage included. */
const STORED_BYTES = 5000;
/** What became of the calls, by reason: each is counted once. */
const counted = (calls: string): string =>
  `(frequencies (${calls} (fn [i] (let [r (tool/close {"id" i})] (or (get-in r [:details :how]) (name (or (:reason r) (:status r)))))) (range ${CALLS})))`;

describe('a program that asks 10,000 times (approvals.md §4)', () => {
  let supervisor: Supervisor;
  let sent: number;
  let open: number;
  let mostOpen: number;
  beforeEach(() => {
    [sent, open, mostOpen] = [0, 0, 0];
  });
  afterEach(async () => supervisor.close());

  async function prepared(program: string): Promise<PreparedApplication> {
    supervisor = await supervise();
    const main = `(ns main)\n(defn run [_] (:value (kernel/eval "room" ${JSON.stringify(`(return ${program})`)})))\n`;
    const manifest = {
      version: 1,
      workflow: {
        components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
        entry: 'main/run',
      },
      missions: { room: { providers: ['desk'] } },
      input: { value: {} },
      providers: { mission: [{ name: 'desk' }] },
      limits: { run_duration_ms: 600_000, workflow_timeout_ms: 600_000, evaluation_timeout_ms: 300_000 },
    };
    return supervisor.prepare({
      kind: 'memory',
      files: new Map([
        ['svc.json', Buffer.from(JSON.stringify(manifest))],
        ['main.clj', Buffer.from(main)],
      ]),
      custom: [
        defineCustomInstallation({
          alias: 'desk',
          revision: 'r1',
          destinations: ['mission'],
          capabilities: [
            {
              name: 'close',
              description: 'Closes a ticket.',
              inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
              effect: 'write',
              approval: 'writes',
              modelVisible: true,
              call: () => {
                sent += 1;
                return null;
              },
            },
          ],
        }),
      ],
    });
  }

  const requests: ApprovalRequest[] = [];
  async function ends(program: string): Promise<unknown> {
    requests.length = 0;
    const application = await prepared(program);
    const handle = supervisor.run(application, {
      onApproval: async (request) => {
        requests.push(request);
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return { decision: 'deny' };
      },
    });
    return finished(await handle.result).value;
  }

  for (const [how, calls, together] of [
    ['one after the other', 'mapv', 1],
    // As many as `live_provider_tasks` lets call at once.
    ['at once', 'pmap', 8],
  ] as const)
    it(`${how}: ${MOST_ASKS} questions, at most ${together} open, and an answer to each call`, async function () {
      this.timeout(240_000);
      const before = process.memoryUsage().heapUsed;
      const value = await ends(counted(calls));
      expect(value).to.deep.equal({ approval_denied: MOST_ASKS, too_many: CALLS - MOST_ASKS });
      expect((process.memoryUsage().heapUsed - before) / CALLS, 'bytes a call').to.be.below(STORED_BYTES);
      expect(new Set(requests.map(({ approvalId }) => approvalId)).size).to.equal(MOST_ASKS);
      expect(mostOpen).to.be.within(1, together);
      expect(sent).to.equal(0);
    });
});
