/** One run of suites: a queue that a few workers take jobs from, and what became of each part. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from './job.ts';
import { mayStart, type Workers } from './idle.ts';
import { renderEnd, renderFailure, renderPart, renderSuite, type PartResult } from './lines.ts';
import type { PartName, Suite } from './parts.ts';
import { planJobs, type Job, type Measured } from './plan.ts';
import type { SuiteResult } from './results.ts';

export interface RunOptions {
  readonly root: string;
  readonly workers: Workers;
  /** How much of the processors was idle since it was last asked, from 0 to 1. */
  readonly readIdle: () => number;
  readonly measured: Measured;
  /** The program that the conformance suites speak to. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
}

/** More suites than that which fail have something in common, and do not run again by themselves. */
const SUITES_AGAIN = 4;
/** How often the processors are looked at, milliseconds. */
const LOOK_EVERY_MS = 1000;
const MATRIX: Job = { part: 'integration', files: ['supervisor/test/crashes/matrix.check.ts'], seconds: 1 };

export class TestRun {
  readonly #options: RunOptions;
  readonly #suites: readonly Suite[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  readonly #leftOut = join(this.#folder, 'left-out');
  readonly #children = new Set<ChildProcess>();
  readonly #results = new Map<PartName, SuiteResult[]>();
  readonly #faults = new Map<PartName, string[]>();
  readonly #parts: PartResult[] = [];
  #done = 0;

  constructor(suites: readonly Suite[], options: RunOptions) {
    this.#suites = suites;
    this.#options = options;
  }

  /** How long each suite took. */
  get seconds(): Measured {
    return Object.fromEntries([...this.#results.values()].flat().map(({ file, seconds }) => [file, seconds]));
  }

  /** Runs all suites, then alone those that failed; with `matrix` also checks what passed. Whether all is well. */
  async execute(matrix: boolean): Promise<boolean> {
    const { jobs, alone } = planJobs(this.#suites, this.#options.measured);
    await this.#runBeside(jobs);
    for (const job of alone) await this.#runOfPart(job);
    for (const part of new Set(this.#suites.map((suite) => suite.part))) await this.#finishPart(part);
    if (matrix) await this.#checkMatrix();
    this.#options.write(renderEnd(this.#parts, this.#readLeftOut()));
    return this.#parts.every(({ verdict }) => verdict !== 'failed');
  }

  /** Ends what runs, and removes what it wrote. */
  close(): void {
    for (const child of this.#children) child.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts jobs in their order, each as soon as there is room for it. */
  async #runBeside(jobs: readonly Job[]): Promise<void> {
    const { workers, readIdle } = this.#options;
    const running = new Set<Promise<void>>();
    for (const job of jobs) {
      while (!mayStart(running.size, workers, running.size < workers.least ? 1 : readIdle())) {
        await Promise.race([...running, delay(LOOK_EVERY_MS, null, { ref: false })]);
      }
      const run = this.#runOfPart(job).finally(() => running.delete(run));
      running.add(run);
    }
    await Promise.all(running);
  }

  async #runOfPart(job: Job): Promise<void> {
    const fault = await this.#run(job, (result) => {
      this.#done += 1;
      listOf(this.#results, job.part).push(result);
      this.#options.write(`${renderSuite(result, this.#suites.length - this.#done, this.#suites.length)}\n`);
    });
    if (fault === null) return;
    listOf(this.#faults, job.part).push(fault);
    this.#options.write(`FAIL a process of ${job.part}: ${job.files.join(' ')}\n${renderFailure(fault)}\n`);
  }

  #run(job: Job, onDone: (result: SuiteResult) => void): Promise<string | null> {
    const { root } = this.#options;
    return runJob(job, {
      root,
      folder: this.#folder,
      children: this.#children,
      environment: this.#environmentOf(job.part),
      onDone,
    });
  }

  /** Only conformance suites know the program by its name. */
  #environmentOf(part: PartName): NodeJS.ProcessEnv {
    const { environment, program } = this.#options;
    const record = environment['SVC_TEST_RECORD'] || join(this.#folder, 'record');
    return {
      ...environment,
      SVC_TEST_RECORD: record,
      SVC_TEST_LEFT_OUT: this.#leftOut,
      SVC_PROGRAM: part === 'conformance' ? program : undefined,
    };
  }

  /** A suite that failed runs once more with nothing beside it, where few did: what then passes is unsteady. */
  async #finishPart(name: PartName): Promise<void> {
    const suites = this.#results.get(name) ?? [];
    const faults = this.#faults.get(name) ?? [];
    const failing = suites.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
    const isWell = failing.length === 0 && faults.length === 0;
    const isFew = failing.length > 0 && failing.length <= SUITES_AGAIN && faults.length === 0;
    const verdict = isWell ? 'passed' : isFew && (await this.#passesAgain(name, failing)) ? 'unsteady' : 'failed';
    this.#addPart({ name, suites, faults, verdict });
  }

  async #passesAgain(part: PartName, files: readonly string[]): Promise<boolean> {
    this.#options.write(`test: once more by themselves: ${files.join(' ')}\n`);
    const again: SuiteResult[] = [];
    const fault = await this.#run({ part, files, seconds: 0 }, (result) => again.push(result));
    return fault === null && again.every(({ failures }) => failures.length === 0);
  }

  async #checkMatrix(): Promise<void> {
    const suites: SuiteResult[] = [];
    const fault = await this.#run(MATRIX, (result) => suites.push(result));
    const isWell = fault === null && suites.every(({ failures }) => failures.length === 0);
    this.#addPart({
      name: 'matrix',
      suites,
      faults: fault === null ? [] : [fault],
      verdict: isWell ? 'passed' : 'failed',
    });
  }

  #addPart(part: PartResult): void {
    this.#parts.push(part);
    this.#options.write(`${renderPart(part)}\n`);
  }

  /** What this machine cannot test, a line each (conformance/left-out.ts). */
  #readLeftOut(): readonly string[] {
    if (!existsSync(this.#leftOut)) return [];
    return [...new Set(readFileSync(this.#leftOut, 'utf8').trimEnd().split('\n'))].toSorted();
  }
}

function listOf<T>(lists: Map<PartName, T[]>, part: PartName): T[] {
  const list = lists.get(part) ?? [];
  lists.set(part, list);
  return list;
}
