/**
 * Sees to it that a command that runs tests ends, and says what kept it: mocha waits for what a test left running, and
 * cannot stop a test that never gives the thread back. `.mocharc.json` requires this file.
 */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { RootHookObject } from 'mocha';

export interface GuardLimits {
  /** How long what the tests left behind may live on after the last of them, milliseconds. */
  readonly lingerMs: number;
  /** How long a test may keep the thread to itself, milliseconds. */
  readonly blockedMs: number;
}

/** What the guarding thread reads: how often the tests' thread was free, and the name of the running test. */
export interface GuardMemory {
  readonly beats: Int32Array;
  readonly title: Uint8Array;
  readonly blockedMs: number;
}

const TITLE_BYTES = 1024;
const BEATS_PER_LIMIT = 10;

/** Root hooks of mocha that guard one command. */
export function guard({ lingerMs, blockedMs }: GuardLimits): RootHookObject {
  const memory: GuardMemory = {
    beats: new Int32Array(new SharedArrayBuffer(4)),
    title: new Uint8Array(new SharedArrayBuffer(TITLE_BYTES)),
    blockedMs,
  };
  let beating: NodeJS.Timeout | undefined;
  return {
    beforeAll() {
      new Worker(new URL('test-guard-thread.ts', import.meta.url), { workerData: memory }).unref();
      beating = setInterval(() => Atomics.add(memory.beats, 0, 1), blockedMs / BEATS_PER_LIMIT).unref();
    },
    beforeEach(this: Mocha.Context) {
      memory.title.fill(0);
      new TextEncoder().encodeInto(this.currentTest?.fullTitle() ?? '', memory.title);
    },
    afterAll() {
      clearInterval(beating);
      // From here on nothing beats: a block after the last test is one as well.
      setTimeout(endWhatLingers, lingerMs).unref();
    },
  };
}

function endWhatLingers(): void {
  writeSync(2, `the tests are over and something of them goes on: ${process.getActiveResourcesInfo().join(', ')}\n`);
  // Mocha sets the status of its failures when the process exits; this listener comes after.
  process.once('exit', () => {
    process.exitCode ||= 1;
  });
  process.exit(1);
}

export const mochaHooks: RootHookObject = guard({ lingerMs: 30_000, blockedMs: 600_000 });
