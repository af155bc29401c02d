/** What a person reads of a run of tests. */
import type { QuickChoice } from './affected.ts';
import type { PartName } from './parts.ts';
import type { SuiteResult } from './results.ts';

/** What became of a part, or of the check of the matrix. */
export interface PartResult {
  readonly name: PartName | 'matrix';
  readonly suites: readonly SuiteResult[];
  /** What is wrong with processes, outside of their suites. */
  readonly faults: readonly string[];
  readonly verdict: 'passed' | 'failed' | 'unsteady';
}

export const countPassed = (suites: readonly SuiteResult[]): number => sum(suites.map(({ passed }) => passed));
export const countFailed = (suites: readonly SuiteResult[]): number =>
  sum(suites.map(({ failures }) => failures.length));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One suite that is done: a line, and below it what failed. */
export function renderSuite(result: SuiteResult, left: number, all: number): string {
  const { file, passed, failures, seconds, processorSeconds } = result;
  const counts = [`${passed} passed`, ...(failures.length > 0 ? [`${failures.length} failed`] : [])].join(', ');
  const verdict = failures.length === 0 ? 'ok  ' : 'FAIL';
  const times = `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processors`;
  const line = `${verdict} ${file}: ${counts}, ${times} (${left} of ${all} left)`;
  return [line, ...failures.map(renderFailure)].join('\n');
}

/** What a quick run takes, and what it leaves: of what the change may affect, of other unit tests, of other suites. */
export interface ShownChoice extends QuickChoice {
  readonly unitLeft: number;
  readonly unaffected: number;
}

/** What a quick run is about to run, and what it leaves to `make test`. */
export function renderQuickChoice({ chosen, left, unitLeft, unaffected }: ShownChoice): string {
  const suites = chosen.filter(({ part }) => part !== 'unit');
  const unit = chosen.length - suites.length;
  return [
    `test: ${unit} files of unit tests, and ${suites.length} suites that the change may affect`,
    ...suites.map(({ file }) => `  ${file}`),
    `test: left for want of time, ${left.length} that it may affect, and ${unitLeft} other files of unit tests`,
    ...left.map(({ file }) => `  ${file}`),
    `test: left, ${unaffected} suites that name nothing of the change; most of them start the built program`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Set off from the lines of suites. */
export function renderFailure(account: string): string {
  return `\n  ${account.replaceAll('\n', '\n  ')}\n`;
}

/** Counts of a part as mocha writes them, which `.ci/run` adds up. A fault of a process is one more failure. */
export function renderPart({ name, suites, faults, verdict }: PartResult): string {
  const failing = countFailed(suites) + faults.length;
  const seconds = sum(suites.map((suite) => suite.seconds));
  const processorSeconds = sum(suites.map((suite) => suite.processorSeconds));
  const word = verdict === 'passed' ? '' : `: ${verdict}`;
  return [
    `test: ${name}, ${suites.length} suites in ${seconds.toFixed(0)} s of their processes and ${processorSeconds.toFixed(0)} s of processors${word}`,
    `  ${countPassed(suites)} passing`,
    ...(failing > 0 ? [`  ${failing} failing`] : []),
  ].join('\n');
}

/** What is to be mended, once more at the end: what failed beside others and passed alone, then what failed. */
export function renderEnd(parts: readonly PartResult[], leftOut: readonly string[]): string {
  const of = (verdict: PartResult['verdict']): readonly PartResult[] =>
    parts.filter((part) => part.verdict === verdict);
  const unsteady = of('unsteady');
  const failed = of('failed');
  return [
    ...(unsteady.length === 0
      ? []
      : [
          'test: failed beside others and passed alone, to be mended',
          ...unsteady.flatMap(renderFailuresOf),
          `  ${sum(unsteady.map(({ suites }) => countFailed(suites)))} unsteady`,
        ]),
    ...(leftOut.length === 0 ? [] : ['test: left out on this machine', ...leftOut.map((line) => `  ${line}`)]),
    ...(failed.length === 0
      ? []
      : [`test: failed in ${failed.map(({ name }) => name).join(' ')}`, ...failed.flatMap(renderFailuresOf)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function renderFailuresOf({ name, suites, faults }: PartResult): readonly string[] {
  const failing = suites.filter(({ failures }) => failures.length > 0);
  return [
    ...failing.flatMap(({ file, failures }) => [
      `test: what failed in ${name}, ${file}`,
      ...failures.map(renderFailure),
    ]),
    ...faults.flatMap((fault) => [`test: what failed in ${name}`, renderFailure(fault)]),
  ];
}
