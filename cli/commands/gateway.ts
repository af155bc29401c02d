import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import {
  NO_LOG,
  checkGateway,
  computeGatewayPins,
  logFaultOf,
  openGatewayLog,
  startGateway,
  writeGatewayPins,
  type GatewayLog,
  type GatewayOptions,
  type RunningGateway,
  type StartFault,
} from '../../supervisor/api/gateway.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { ANSWER_WITHIN_MS } from '../declaration/commands/code.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { awaitStop } from '../process/await-stop.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { nearestFile } from '../streams/nearest-file.ts';
import { namedFiles } from '../streams/named-files.ts';
import type { Command, CommandContext } from './command.ts';
import { readBuildFacts } from './version.ts';

/** Calls that wait for a place where nobody says how many. */
const WAITING_CALLS = 64;
/** Runs that wait for a person (approvals.md §6). */
const WAITING_RUNS = 256;

/** gateway.md §1: serves until it is asked to stop. */
export const gatewayCommand: Command = async (commandArguments, context) => {
  const path = optionValue(commandArguments, '--log');
  const log = path === undefined ? null : await openGatewayLog(path);
  if (path !== undefined && log === null) return findRefusal([logFaultOf()]);
  try {
    return await serveGateway(commandArguments, { ...context, log: log ?? NO_LOG });
  } finally {
    await log?.close();
  }
};

async function serveGateway(
  commandArguments: CommandArguments,
  {
    workingDirectory,
    programDirectory,
    variables,
    signal,
    reportBug,
    log,
  }: CommandContext & { readonly log: GatewayLog },
): Promise<CommandEnd> {
  const fenced = new AbortController();
  const metrics = optionValue(commandArguments, '--metrics');
  const waiting = optionValue(commandArguments, '--max-waiting-calls');
  const options: GatewayOptions = {
    document: requiredArgument(commandArguments),
    workingDirectory,
    programDirectory,
    documents: thisMachine(programDirectory).documents,
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    variables,
    exposure: exposureOf(commandArguments),
    ignoresPins: commandArguments.options.has('--dev'),
    log,
    metricsPort: metrics === undefined ? null : Number(metrics),
    maxWaitingCalls: waiting === undefined ? WAITING_CALLS : Number(waiting),
    maxWaitingRuns: Number(optionValue(commandArguments, '--max-waiting-runs') ?? WAITING_RUNS),
    code: (commandArguments.options.get('--code') ?? []).map(codeOffer),
    answerWithinMs: Number(optionValue(commandArguments, '--answer-within-ms') ?? ANSWER_WITHIN_MS),
    servesLegacy: optionValue(commandArguments, '--legacy') !== 'off',
    version: readBuildFacts(programDirectory).version,
    onFence: () => {
      if (commandArguments.options.has('--exit-on-fence')) fenced.abort();
    },
    reportBug: (error) => {
      void reportBug(error);
    },
  };
  const refuse = (faults: readonly StartFault[], namesTools = false): Promise<CommandEnd> =>
    findRefusal(faults, {
      namesTools,
      document: {
        path: options.document,
        shown: namedFiles(commandArguments, workingDirectory).document ?? options.document,
      },
    });
  if (commandArguments.options.has('--check')) return refuse(await checkGateway(options), true);
  if (commandArguments.options.has('--print-pins')) {
    const printed = await computeGatewayPins(options);
    return printed.ok ? writeLine(printed.value) : refuse([printed.fault]);
  }
  if (commandArguments.options.has('--write-pins')) {
    const written = await writeGatewayPins(options);
    return written.ok ? writeLine(written.value) : refuse([written.fault]);
  }
  const started = await startGateway(options);
  if (started.ok && options.ignoresPins)
    await writeStream(2, 'warning: --dev: pins are not checked, whatever the applications are now is served\n');
  return started.ok ? serveUntilStopped(started.value, signal, fenced.signal) : refuse([started.fault]);
}

/** No name of a tool has a colon. */
function codeOffer(text: string): GatewayOptions['code'][number] {
  const [tool = '', ...mission] = text.split(':');
  return { tool, mission: mission.length === 0 ? null : mission.join(':') };
}

function exposureOf(commandArguments: CommandArguments): GatewayOptions['exposure'] {
  const [certificate, key] = [optionValue(commandArguments, '--tls-cert'), optionValue(commandArguments, '--tls-key')];
  return {
    address: optionValue(commandArguments, '--listen') ?? null,
    tls: certificate === undefined || key === undefined ? null : { certificate, key },
    isBehindProxy: commandArguments.options.has('--behind-proxy'),
  };
}

/**
 * One line for each fault, by its code alone, and below it one for people; a check, which opens nothing, names the tool
 * in both.
 */
async function findRefusal(
  faults: readonly StartFault[],
  {
    namesTools = false,
    document = null,
  }: { readonly namesTools?: boolean; readonly document?: NamedGateway | null } = {},
): Promise<CommandEnd> {
  for (const fault of faults) {
    const { code, tool } = fault;
    await writeStream(
      2,
      `${text({ error: code, ...(namesTools && tool !== null ? { tool } : {}) })}\n${causeLine(fault, document)}`,
    );
  }
  return { kind: 'conversed', outcome: { outcome: faults.length === 0 ? 'succeeded' : 'gateway_refused' } };
}

/** The gateway file: where it is, and as the command line names it. */
interface NamedGateway {
  readonly path: string;
  readonly shown: string;
}

/** The file of the folder that a mistyped name of the gateway file may have meant. */
function nearLine(document: NamedGateway | null): string {
  const near = document === null ? null : nearestFile(document.path);
  return near === null ? '' : `; did you mean ${visibleText(near)}?`;
}

/** Where, which tool, why, and what to do; empty where the code says all. */
function causeLine({ tool, why }: StartFault, document: NamedGateway | null): string {
  if (why?.sentence !== undefined) return `${why.sentence}${why.cause === 'missing' ? nearLine(document) : ''}\n`;
  const { cause = null, pointer = null, detail = null, place, advice } = why ?? {};
  const words = [
    ...(place === undefined || document === null
      ? []
      : [`${document.shown}:${String(place.line)}:${String(place.column)}:`]),
    ...(tool === null ? [] : [`tool ${tool}:`]),
    ...(cause === null ? [] : [cause]),
    ...(pointer === null ? [] : [`at ${pointer === '' ? 'the document itself' : pointer}`]),
    ...(detail === null ? [] : [`(${detail})`]),
  ];
  const line = `${words.join(' ')}${advice === undefined ? '' : `: ${visibleText(advice)}`}`;
  return line === '' ? '' : `${line}\n`;
}

async function writeLine(value: object): Promise<CommandEnd> {
  const written = await writeStream(1, `${text(value)}\n`);
  return { kind: 'conversed', outcome: written === 'written' ? { outcome: 'succeeded' } : lostOutput(written) };
}

async function serveUntilStopped(
  { address, port, tools, metricsPort, stop }: RunningGateway,
  signal: AbortSignal,
  fenced: AbortSignal,
): Promise<CommandEnd> {
  const written = await writeStream(
    1,
    `${text({ address, path: '/mcp', port, ready: true, tools, ...(metricsPort === null ? {} : { metrics_port: metricsPort }) })}\n`,
  );
  if (written === 'written') await awaitStop(AbortSignal.any([signal, fenced]));
  const { clean } = await stop();
  if (written !== 'written') return { kind: 'conversed', outcome: lostOutput(written) };
  return { kind: 'conversed', outcome: { outcome: clean && !fenced.aborted ? 'succeeded' : 'gateway_forced' } };
}

function text(value: object): string {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new TypeError('what the gateway prints is plain data');
  return canonicalJson(json);
}
