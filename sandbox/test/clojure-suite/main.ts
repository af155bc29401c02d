/**
 * The public Clojure test suite against the built program: `make clojure-suite SUITE=path`, see README.md. Ends with
 * status 1 when a check differs that is not in `differences.json`, or one of that list does not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';
import { startReference } from '../../../conformance/language/reference.ts';
import { type Check, holds, readChecks } from './checks.ts';
import { leftOut } from './left-out.ts';
import { differencesOf, type Judged, report, type Verdict } from './report.ts';

const dist = join(import.meta.dirname, '../../../dist');
/** Heap of a workflow (language.md §20): large enough that no check meets the limit. */
const HEAP_WORDS = 8_000_000;
/** Isolates that are open at once. */
const LANES = 4;
/** A busy machine is no reason to fail. */
const TIMEOUT_MS = 60_000;

/** Reasons by which a call that must fail is refused before anything runs (language.md §17). */
const REFUSALS: ReadonlySet<string> = new Set(['arity_error', 'invalid_arity', 'invalid_form']);

async function evaluate(sandbox: Sandbox, source: string): Promise<EvaluateReply | string> {
  const isolate = await sandbox.openIsolate({
    environment: 'mission',
    trustDomain: 'clojure-suite',
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
      { timeoutMs: TIMEOUT_MS },
    );
    return outcome.status === 'replied' ? outcome.reply : outcome.status;
  } finally {
    await isolate.dispose();
  }
}

function verdictOn({ program, raises }: Check, reply: EvaluateReply | string): Verdict {
  if (typeof reply === 'string') return { kind: 'differs', actual: reply };
  if (reply.outcome !== 'evaluation_error')
    return holds(reply.value) ? { kind: 'passes' } : { kind: 'differs', actual: String(reply.value) };
  const { reason, message, exception_class: raised } = reply.fault;
  const what = leftOut(program, reply.fault);
  if (what !== null) return { kind: 'left out', what };
  if (raises === 'true' && raised === null && REFUSALS.has(reason)) return { kind: 'passes' };
  return { kind: 'differs', actual: `${reason}: ${message}` };
}

async function judge(checks: readonly Check[]): Promise<readonly Judged[]> {
  const sandbox = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: LANES,
  });
  const judged: Judged[] = [];
  const waiting = checks.values();
  const lane = async (): Promise<void> => {
    for (const check of waiting)
      judged.push({
        id: check.id,
        check: check.check,
        verdict: verdictOn(check, await evaluate(sandbox, check.program)),
      });
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await sandbox.close();
  }
  return judged;
}

const [checkout = ''] = process.argv.slice(2);
if (checkout === '') throw new Error('name a checkout of the suite: make clojure-suite SUITE=path');
const differences = differencesOf(readFileSync(join(import.meta.dirname, 'differences.json'), 'utf8'));
const reference = startReference();
const { all, holding } = await readChecks(checkout, reference);
await reference.close();
if (holding.length === 0) throw new Error(`${checkout} has no checks that hold in the reference`);

const { complaints, passed, counted, excluded } = report(await judge(holding), differences);
process.stdout.write(complaints.map((complaint) => `${complaint}\n`).join(''));
process.stdout.write(
  `== ${all} checks, ${holding.length} hold in real Clojure, ${excluded} of them need what the language leaves out\n` +
    `== ${passed} of ${counted} pass (${((100 * passed) / counted).toFixed(2)} %), ${complaints.length} differences that the list does not tell\n`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;
