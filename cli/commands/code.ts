import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stopOf } from '../../contract/stop-signals.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { LOCAL_TENANT, publicationTools, thisMachine, userGrantUse } from '../../supervisor/api/machine.ts';
import { openCode, ownCodeArtifacts, ownProgram, serveCode, type OpenCode } from '../../supervisor/api/code.ts';
import { ANSWER_WITHIN_MS, CODE_CLIENTS } from '../declaration/commands/code.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { openLineOutput } from '../process/line-output.ts';
import { lostOutput } from '../process/output.ts';
import { checkCode } from './check-code.ts';
import { clientEntry } from '../streams/client-entry.ts';
import type { Command, CommandContext } from './command.ts';
import { readBuildFacts } from './version.ts';

const VALUE_CHARS = 8192;
/** Looked for in the working directory, in this order. */
const DEFAULT_DOCUMENTS = ['svc-project.json', 'svc.json'] as const;

/** code-mode.md §1: serves one client over standard input and output until its input ends. */
export const codeCommand: Command = async (commandArguments, context) => {
  const client = CODE_CLIENTS.find((name) => name === optionValue(commandArguments, '--print-config'));
  if (client !== undefined)
    return { kind: 'text', text: clientEntry(client, launcher(context), codeArguments(commandArguments)) };
  // A client that does not read it keeps nothing waiting.
  const errors = context.progressStream();
  const report = (line: string): void => {
    errors.write(`svc code: ${visibleText(line)}\n`);
  };
  try {
    const opened = await openCode(codeOptions(commandArguments, context, report));
    if (!opened.ok) {
      const { diagnostic: refused, advice } = opened;
      return { kind: 'failed', diagnostic: refused, hint: advice?.hint ?? null, faults: advice?.faults ?? null };
    }
    return commandArguments.options.has('--check')
      ? await checkCode(opened.value)
      : await serve(opened.value, commandArguments, context, report);
  } finally {
    await errors.settle();
  }
};

type Report = (line: string) => void;

function codeOptions(
  commandArguments: CommandArguments,
  { workingDirectory, programDirectory, variables, signal, sandbox, bundles }: CommandContext,
  report: Report,
): Parameters<typeof openCode>[0] {
  const imports = commandArguments.options.get('--import') ?? [];
  const named = commandArguments.positionals[0];
  const found = DEFAULT_DOCUMENTS.map((name) => resolve(workingDirectory, name)).find((path) => existsSync(path));
  const approvals = (['ask', 'refuse', 'off'] as const).find(
    (word) => word === optionValue(commandArguments, '--approvals'),
  );
  return {
    ...thisMachine(programDirectory),
    workingDirectory,
    document: named ?? found ?? null,
    mission: optionValue(commandArguments, '--mission') ?? null,
    imports,
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    trustsAnnotations: commandArguments.options.has('--trust-annotations'),
    policy: { approvals: approvals ?? 'ask', allow: commandArguments.options.get('--allow') ?? [] },
    artifacts: optionValue(commandArguments, '--artifacts') ?? null,
    ownArtifacts: ownCodeArtifacts(variables, workingDirectory),
    trustDomain: LOCAL_TENANT,
    sandbox,
    bundles,
    variables,
    signal,
    publication: publicationTools(),
    grants: userGrantUse(variables),
    home: variables['HOME'] ?? '/',
    own: ownProgram(programDirectory, variables),
    report,
  };
}

async function serve(
  code: OpenCode,
  commandArguments: CommandArguments,
  { standardInput, signal, programDirectory, workingDirectory, reportBug }: CommandContext,
  report: Report,
): Promise<CommandEnd> {
  const asks =
    optionValue(commandArguments, '--approvals') === 'off' ? '; approvals are off: every tool may be called' : '';
  report(`ready${code.servers.length === 0 ? '' : `, starting ${code.servers.join(', ')}`}${asks}`);
  const output = openLineOutput(process.stdout);
  await serveCode(code, {
    input: standardInput(),
    send: output.send,
    signal: AbortSignal.any([signal, output.closed]),
    valueChars: Number(optionValue(commandArguments, '--value-chars') ?? VALUE_CHARS),
    answerWithinMs: Number(optionValue(commandArguments, '--answer-within-ms') ?? ANSWER_WITHIN_MS),
    version: readBuildFacts(programDirectory).version,
    workingDirectory,
    report,
    reportBug: (error) => {
      void reportBug(error);
    },
  });
  const written = await output.settle();
  const stop = stopOf(signal);
  if (stop !== null) return { kind: 'conversed', outcome: { outcome: 'stopped', stop } };
  return { kind: 'conversed', outcome: written === 'written' ? { outcome: 'succeeded' } : lostOutput(written) };
}

function launcher({ programDirectory }: CommandContext): string {
  const path = resolve(programDirectory, '../bin/svc');
  return existsSync(path) ? path : resolve(process.argv[1] ?? 'svc');
}

/** The arguments of this command as they were given, but for that which prints them; paths are absolute. */
function codeArguments({ positionals, options }: CommandArguments): readonly string[] {
  const input = [...options].filter(([name]) => name !== '--print-config');
  return [
    'code',
    ...positionals,
    ...input.flatMap(([name, values]) => values.flatMap((value) => (value === '' ? [name] : [name, value]))),
  ];
}
