import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../until.ts';
import { descendantsOf, isAlive } from '../cli/descendants.ts';
import { validEnvelope } from '../cli/envelope-check.ts';
import { runToEnd, start } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../cli/work-directory.ts';
import { traceDepartures } from './check-trace.ts';

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'p.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: 'artifacts', trace: true, inspection: true, result: true, envelope: true },
  },
  'main.clj': '(ns main)\n(defn run [input] (reduce + (range 200000)))\n',
};

/** A run of this application lasts about a tenth of a second; its life is sampled beyond its end. */
const LAST_MS = 180;
const EVERY_MS = 6;

const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const;

describe('a signal at any instant of a run (runtime.md §10, §14)', function () {
  this.timeout(600_000);

  for (const [signal, status] of [
    ['SIGINT', STATUSES.SIGINT],
    ['SIGTERM', STATUSES.SIGTERM],
  ] as const) {
    for (const times of [1, 2]) {
      it(`${signal}, ${times === 1 ? 'once' : 'twice'}: no process, lock or staging directory is left`, async () => {
        for (let instant = 0; instant <= LAST_MS; instant += EVERY_MS) {
          const directory = makeWorkDirectory(FILES);
          try {
            const started = start({ argv: ['run', 'p.json'], directory });
            await Promise.race([setTimeout(instant), started.ended]);
            const pid = started.child.pid ?? 0;
            const hosts = descendantsOf(pid);
            for (let sent = 0; sent < times; sent += 1) started.child.kill(signal);
            const ended = await started.ended;
            const place = `${signal} after ${instant} ms`;
            // Before the program listens, the signal itself ends it; after its last step, nothing is left to stop.
            expect([status, 0, null], `${place}: ${ended.stderr}`).to.include(ended.status);
            if (ended.status === null) expect(ended.signal, place).to.equal(signal);
            await until('the end of every host', () => (hosts.some(isAlive) ? undefined : true));
            expectWhole(directory, place);
            if (times === 2 || ended.status === null)
              expect((await runToEnd({ argv: ['run', 'p.json'], directory })).status, place).to.equal(0);
            expect(
              [...snapshot(directory).keys()].filter((path) => path.includes('.svc-')),
              place,
            ).to.deep.equal([]);
          } finally {
            removeWorkDirectory(directory);
          }
        }
      });
    }
  }
});

function expectWhole(directory: string, place: string): void {
  for (const [path, text] of snapshot(directory)) {
    if (path.startsWith('artifacts/envelopes/cmd-')) validEnvelope(text);
    if (path.startsWith('artifacts/results/cmd-')) expect(text, place).to.equal('19999900000');
    if (path.startsWith('artifacts/traces/cmd-')) expect(traceDepartures(text), place).to.deep.equal([]);
  }
}
