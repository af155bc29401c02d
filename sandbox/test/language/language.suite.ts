/** Every program of the table, run in a fresh isolate of the built program, must give what real Clojure gave. */
import { expect } from 'chai';
import { join } from 'node:path';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';
import { difference, pairRows } from '../../../conformance/language/compare.ts';
import { readRecording, readTable, tableNames } from '../../../conformance/language/table.ts';

const dist = join(import.meta.dirname, '../../../dist');
/** Heap of a workflow (language.md §20): large enough that no program of the table meets the limit. */
const HEAP_WORDS = 8_000_000;
/** Isolates that are open at once; the machine of CI has two cores. */
const LANES = 4;

async function evaluate(sandbox: Sandbox, source: string): Promise<EvaluateReply | string> {
  const isolate = await sandbox.openIsolate({
    environment: 'mission',
    trustDomain: 'conformance',
    heapWords: HEAP_WORDS,
  });
  try {
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'mission',
        source,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
      },
      { timeoutMs: 60_000 },
    );
    return outcome.status === 'replied' ? outcome.reply : outcome.status;
  } finally {
    await isolate.dispose();
  }
}

describe('svc-lisp gives what Clojure gives', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startSandbox({
      hostScript: join(dist, 'sandbox-host.cjs'),
      guestImage: join(dist, 'guest.snapshot'),
      readableFolders: [dist],
      isolatesPerHost: LANES,
    });
  });
  after(async () => {
    await sandbox.close();
  });

  for (const name of tableNames()) {
    it(name, async () => {
      const pairs = pairRows(name, readTable(name), readRecording(name));
      const wrong: string[] = [];
      const waiting = pairs.values();
      const lane = async (): Promise<void> => {
        for (const [row, recorded] of waiting) {
          const reply = await evaluate(sandbox, row.source);
          const found =
            typeof reply === 'string' ? `${row.source}\n   ended with ${reply}` : difference(row, recorded, reply);
          if (found !== null) wrong.push(found);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(wrong, `${wrong.length} of ${pairs.length} differ\n${wrong.join('\n')}\n`).to.have.length(0);
    });
  }
});
