import { runApplication } from '../../supervisor/api/run.ts';
import type { RunOptions, RunReport } from '../../supervisor/api/run.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { GivenArguments } from '../declaration/types.ts';
import { publicationTools } from '../envelope-file/publication-tools.ts';
import { interruptedLine } from '../streams/interrupted-run.ts';
import { startProgress } from '../progress/progress.ts';
import type { Command, CommandContext } from './command.ts';
import { documentServices } from './document-services.ts';

/** cli.md §10, run. `run` is the supervisor's, another one in tests. */
export const runCommand = (run: typeof runApplication = runApplication): Command => async (given, context) => {
  const options = await runOptions(given, context);
  const progress = given.options.has('--progress')
    ? startProgress({ stream: context.progressStream(), document: options.document, now: () => options.clock.monotonic() }) : null;
  const report = await run(progress === null ? options : { ...options, observer: progress.observer });
  await progress?.finish(report.envelope.status === 'ok' ? 'completed' : 'failed');
  if (report.unexpected !== null) await context.reportBug(report.unexpected);
  return {
    kind: 'envelope', envelope: report.envelope, status: report.exitStatus,
    notes: report.interrupted.map(interruptedLine),
    explanation: report.explanation ?? null,
    hint: report.hint ?? (wasInterrupted(report, context.signal) ? 'interrupted' : null),
  };
};

function wasInterrupted({ envelope }: RunReport, { aborted }: AbortSignal): boolean {
  return aborted && envelope.status === 'error' && envelope.error.code === 'internal_error';
}

async function runOptions(given: GivenArguments, context: CommandContext): Promise<RunOptions> {
  return {
    ...await documentServices(context),
    publication: publicationTools(),
    onEvaluated: context.releaseSandbox,
    runRef: context.runRef,
    document: requiredArgument(given),
    hostConfig: optionValue(given, '--host-config') ?? null,
    input: alternateInput(given),
    override: optionValue(given, '--component-override-descriptor') ?? null,
    environmentFile: optionValue(given, '--env-file') ?? null,
    authorize: given.options.get('--authorize-mcp') ?? [],
    destinations: {
      traceDirectory: optionValue(given, '--trace-dir') ?? null,
      inspection: optionValue(given, '--inspect') ?? null,
      output: optionValue(given, '--output') ?? null,
      privateOutput: optionValue(given, '--private-output') ?? null,
    },
  };
}

/** As typed: a name of the application's own directory is tried before the path (cli.md §10). */
function alternateInput(given: GivenArguments): RunOptions['input'] {
  const normal = optionValue(given, '--input');
  if (normal !== undefined) return { path: normal, dataClass: 'normal' };
  const confined = optionValue(given, '--private-input');
  return confined === undefined ? null : { path: confined, dataClass: 'private' };
}
