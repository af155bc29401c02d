import { canonicalJson } from '../../contract/json/canonical.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { publishedFiles, thisMachine } from '../../supervisor/api/machine.ts';
import {
  failedTests,
  reportJson,
  testApplication,
  type CaseReport,
  type TestEnd,
  type TestOptions,
} from '../../supervisor/api/test.ts';
import { validateApplication } from '../../supervisor/api/authoring.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { lostOutput, writeStream, type WriteOutcome } from '../process/output.ts';
import { ownResultLine } from '../streams/own-result.ts';
import { stylingOf, type Styling } from '../streams/styling.ts';
import { caseText, reportText } from '../streams/test-text.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';

/** What is tested where no document is named. */
const DEFAULT_DOCUMENT = 'svc-project.json';

/** first-day.md §2: a line for each case as soon as it is over, then a table. */
export const testCommand: Command = async (commandArguments, context) =>
  testCommandOf(thisMachine(context.programDirectory).documents)(commandArguments, context);

/** The same, with documents read by other means than the machine's own. */
export const testCommandOf =
  (documents: TestOptions['documents']): Command =>
  async (commandArguments, context) => {
    const isJson = context.json || commandArguments.options.has('--json');
    const styling = stylingOf({ isTerminal: process.stdout.isTTY, columns: process.stdout.columns }, context.variables);
    const options = testOptions(commandArguments, context, documents);
    // Lines go out in their order, one after the other.
    let writing: Promise<WriteOutcome> = Promise.resolve('written');
    const write = (text: string): void => {
      writing = writing.then(async (before) => (before === 'written' ? writeStream(1, text) : before));
    };
    const end = await testApplication({
      ...options,
      onResult: (result: CaseReport) => {
        if (!isJson) write(caseText(result, styling));
      },
    });
    if (!end.ok) return refusedEnd(end, options, context);
    write(isJson ? jsonText(end, context) : tableText(end, styling));
    const written = await writing;
    if (written !== 'written') return { kind: 'conversed', outcome: lostOutput(written) };
    const isPassed = end.report.totals.failed === 0 && !end.wasInterrupted;
    return {
      kind: 'conversed',
      outcome: isPassed
        ? { outcome: 'succeeded' }
        : { outcome: 'failed', error: failedTests(end.wasInterrupted), stop: stopOf(context.signal) },
    };
  };

type Finished = Extract<TestEnd, { readonly ok: true }>;

function jsonText({ report }: Finished, { json, runRef }: CommandContext): string {
  const value = reportJson(report);
  return json ? ownResultLine('test', runRef, value) : `${canonicalJson(value)}\n`;
}

function tableText({ report, stored, wasInterrupted }: Finished, styling: Styling): string {
  return reportText(report, { stored, wasInterrupted }, styling);
}

/** Of an application that cannot be run `svc validate` has found all there is to say. */
async function refusedEnd(
  { diagnostic, hint, faults, isApplication }: Extract<TestEnd, { readonly ok: false }>,
  { document, hostConfig }: Pick<TestOptions, 'document' | 'hostConfig'>,
  context: CommandContext,
): Promise<CommandEnd> {
  if (!isApplication) return { kind: 'failed', diagnostic, hint, faults };
  const { envelope, advice } = await validateApplication({
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document,
    hostConfig,
    override: null,
  });
  if (envelope.status === 'ok') return { kind: 'failed', diagnostic, hint };
  return { kind: 'failed', diagnostic: envelope.error, hint: advice.hint, faults: advice.faults };
}

function testOptions(
  commandArguments: CommandArguments,
  context: CommandContext,
  documents: TestOptions['documents'],
): Omit<TestOptions, 'onResult'> {
  const { positionals, options } = commandArguments;
  const [first] = positionals;
  const isDocument = first?.endsWith('.json') === true;
  const { clock } = thisMachine(context.programDirectory);
  const [budget, jobs] = [optionValue(commandArguments, '--budget'), optionValue(commandArguments, '--jobs')];
  return {
    runRef: context.runRef,
    document: isDocument ? first : DEFAULT_DOCUMENT,
    names: isDocument ? positionals.slice(1) : positionals,
    tags: options.get('--tag') ?? [],
    workingDirectory: context.workingDirectory,
    programDirectory: context.programDirectory,
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    variables: context.variables,
    documents,
    files: publishedFiles(),
    clock,
    signal: context.signal,
    mode: options.has('--record') ? 'record' : options.has('--live') ? 'live' : 'replay',
    models: (optionValue(commandArguments, '--models') ?? '').split(',').flatMap((model) => model.trim() || []),
    budgetUsd: budget === undefined ? null : Number(budget),
    jobs: jobs === undefined ? null : Number(jobs),
    isUpdating: options.has('--update'),
    junit: optionValue(commandArguments, '--junit') ?? null,
  };
}
