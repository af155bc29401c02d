import { spawn } from 'node:child_process';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import { startedChild } from '../../system/started-child.ts';
import { startViewer, type ViewerRefusal } from '../../supervisor/api/viewer.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { awaitStop } from '../process/await-stop.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { ownResultLine } from '../streams/own-result.ts';
import type { Command, CommandContext } from './command.ts';
import { describeNeighbour } from './viewer/neighbour.ts';
import { unreadProject } from './unread-project.ts';
import { findSelectedRun } from './selected-run.ts';
import { startProgram } from './viewer/start-program.ts';

/** cli.md §10, viewer: serves until it is asked to stop. */
export const viewerCommand: Command = async (commandArguments, context) => {
  const { workingDirectory, programDirectory, variables, signal, runRef, json } = context;
  const word = optionValue(commandArguments, '--run');
  const found =
    word === undefined
      ? null
      : await findSelectedRun(word, commandArguments, context, requiredArgument(commandArguments));
  if (found?.ok === false) return { kind: 'failed', diagnostic: found.diagnostic, hint: found.hint };
  const port = optionValue(commandArguments, '--port');
  const token = variables['SVC_VIEWER_TOKEN'];
  const viewer = await startViewer({
    document: requiredArgument(commandArguments),
    workingDirectory,
    programDirectory,
    variables,
    startProgram: (viewer) => startProgram(context, viewer),
    address: optionValue(commandArguments, '--listen') === '0.0.0.0' ? '0.0.0.0' : '127.0.0.1',
    port: port === undefined ? null : Number(port),
    token: token === undefined || token === '' ? null : token,
    reportBug: (error) => {
      void context.reportBug(error);
    },
  });
  if (!viewer.ok) return reportRefusal(viewer.refusal, commandArguments, context);
  const { opensBrowser, showsPrivate } = viewer;
  const url = found === null ? viewer.url : `${viewer.url}#/run/${found.run.runRef}`;
  if (url.startsWith('http://0.0.0.0'))
    await writeStream(
      2,
      `warning: this viewer answers other machines${showsPrivate ? ', and may show them private records' : ''}; anyone who has the token may look\n`,
    );
  const written = await writeStream(
    1,
    json
      ? ownResultLine('viewer', runRef, new Map([['url', url]]))
      : `${url}\nviewing the runs of this project; Ctrl-C stops\n`,
  );
  if (written !== 'written') {
    await viewer.close();
    return { kind: 'conversed', outcome: lostOutput(written) };
  }
  if (opensBrowser && process.stdout.isTTY) openBrowser(url);
  await awaitStop(signal);
  await viewer.close();
  return { kind: 'conversed', outcome: { outcome: 'succeeded' } };
};

const MESSAGES: Readonly<
  Record<Exclude<ViewerRefusal['kind'], 'document' | 'port_in_use'>, readonly [code: string, message: string]>
> = {
  no_trace: [
    'viewer_unavailable',
    'the viewer needs a project that records traces: set "artifacts": {"root": ".svc", "trace": true} in it',
  ],
  no_page: ['viewer_unavailable', 'this build has no page to serve'],
  weak_token: ['viewer_unavailable', 'SVC_VIEWER_TOKEN needs 32 bytes or more'],
  unavailable: ['viewer_unavailable', 'this address cannot be listened on'],
  evidence: ['viewer_unavailable', 'the evidence of this project cannot be captured: run it once, or prune old runs'],
};

async function reportRefusal(
  refusal: ViewerRefusal,
  commandArguments: CommandArguments,
  context: CommandContext,
): Promise<CommandEnd> {
  const { runRef, json } = context;
  if (refusal.kind === 'document') return unreadProject(commandArguments, context, refusal);
  const [code, message] =
    refusal.kind === 'port_in_use'
      ? ['viewer_port_in_use', await describeNeighbour(refusal.port)]
      : MESSAGES[refusal.kind];
  await writeStream(2, `error: viewer/${code}: ${message} (run_ref: ${runRef})\n`);
  // The words of this refusal are in no envelope: the catalogue of diagnostics has no code for it.
  if (json)
    await writeStream(
      1,
      `${envelopeText(failureEnvelope('unknown', runRef, diagnostic('internal_error', { cause: 'resource_unavailable' })))}\n`,
    );
  return { kind: 'conversed', outcome: { outcome: 'conversation_failed' } };
}

/** Best effort: the address is on the terminal, too. */
function openBrowser(url: string): void {
  startedChild((only) =>
    spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], {
      stdio: only(['ignore', 'ignore', 'ignore']),
      detached: true,
    }),
  )?.unref();
}
