import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../contract/run-reference.ts';
import { thisMachine, WatchedFiles } from '../../supervisor/api/machine.ts';
import { validateApplication } from '../../supervisor/api/authoring.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { reportEnvelope, type CommandEnd } from '../ending/command-end.ts';
import { lostOutput, writeStream, type WriteOutcome } from '../process/output.ts';
import { render } from '../streams/render.ts';
import { stylingOf } from '../streams/styling.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';
import { testCommandOf } from './test.ts';

/** first-day.md §1, watch: one round after the other, until Ctrl-C. */
export const watchCommand: Command = async (commandArguments, context) => {
  const files = new WatchedFiles(thisMachine(context.programDirectory).documents);
  for (;;) {
    files.unwatch();
    const written = await round(commandArguments, context, files);
    if (written !== 'written') return { kind: 'conversed', outcome: lostOutput(written) };
    if (!(await files.changed(context.signal))) return { kind: 'conversed', outcome: { outcome: 'succeeded' } };
  }
};

/** Validates the project, then tests it if it is valid. Prints what those two commands print. */
async function round(
  commandArguments: CommandArguments,
  context: CommandContext,
  files: WatchedFiles,
): Promise<WriteOutcome> {
  const time = new Date().toTimeString().slice(0, 8);
  const runRef = newRunReference(randomFillSync);
  const { envelope, advice } = await validateApplication({
    ...(await openDocumentServices(context)),
    documents: files.documents,
    runRef,
    document: requiredArgument(commandArguments),
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    override: null,
  });
  if (context.signal.aborted) return 'written';
  if (envelope.status === 'error') {
    const said = await show(reportEnvelope(envelope, advice), { ...context, runRef }, 'validate');
    return said === 'written' ? writeStream(1, `${time} not valid; ${waiting(files)}`) : said;
  }
  const said = await writeStream(1, `${time} valid\n`);
  if (said !== 'written') return said;
  const end = await testCommandOf(files.documents)(commandArguments, { ...context, runRef, json: false });
  // A round that Ctrl-C ended has said so; that it failed is no news.
  if (context.signal.aborted) return 'written';
  const outcome = await show(end, { ...context, runRef }, 'test');
  return outcome === 'written' ? writeStream(1, waiting(files)) : outcome;
}

function waiting({ size }: WatchedFiles): string {
  return `watching ${size} files and folders; Ctrl-C ends\n`;
}

/** Both streams of an end, on the streams that they belong to. */
async function show(
  end: CommandEnd,
  { runRef, variables }: CommandContext,
  name: 'validate' | 'test',
): Promise<WriteOutcome> {
  const styling = {
    stdout: stylingOf({ isTerminal: process.stdout.isTTY, columns: process.stdout.columns }, variables),
    stderr: stylingOf({ isTerminal: process.stderr.isTTY, columns: process.stderr.columns }, variables),
  };
  const { stdout, stderr } = render({ end, runRef, name, styling, json: false });
  if (stderr !== '') await writeStream(2, stderr);
  return stdout === '' ? 'written' : writeStream(1, stdout);
}
