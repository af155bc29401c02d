import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { LOCAL_TENANT, publicationTools, thisMachine } from '../../supervisor/api/machine.ts';
import { openCode, ownCodeArtifacts, ownProgram, serveCode, type OpenCode } from '../../supervisor/api/code.ts';
import { userGrantUse } from '../../supervisor/api/user-grants.ts';
import { CODE_CLIENTS } from '../declaration/commands/code.ts';
import { optionValue } from '../declaration/given.ts';
import type { GivenArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { writeStream } from '../process/output.ts';
import { clientEntry } from '../streams/client-entry.ts';
import type { Command, CommandContext } from './command.ts';
import { readBuildFacts } from './version.ts';

const VALUE_CHARS = 8192;
const ANSWER_WITHIN_MS = 50_000;
/** Looked for in the working directory, in this order. */
const DEFAULT_DOCUMENTS = ['svc-project.json', 'svc.json'] as const;

/** code-mode.md §1: serves one client over standard input and output until its input ends. */
export const codeCommand: Command = async (given, context) => {
  const client = CODE_CLIENTS.find((name) => name === optionValue(given, '--print-config'));
  if (client !== undefined) return { kind: 'text', text: clientEntry(client, launcher(context), codeArguments(given)) };
  const tell = (line: string): void => void writeStream(2, `svc code: ${visibleText(line)}\n`);
  const opened = await openCode(codeOptions(given, context, tell));
  if (!opened.ok) {
    const { diagnostic: refused, advice } = opened;
    return { kind: 'failed', diagnostic: refused, hint: advice?.hint ?? null, faults: advice?.faults ?? null };
  }
  return given.options.has('--check') ? check(opened.value) : serve(opened.value, given, context, tell);
};

type Tell = (line: string) => void;

function codeOptions(
  given: GivenArguments,
  { workingDirectory, programDirectory, variables, signal, sandbox, bundles }: CommandContext,
  tell: Tell,
): Parameters<typeof openCode>[0] {
  const imports = given.options.get('--import') ?? [];
  const named = given.positionals[0];
  const found = DEFAULT_DOCUMENTS.map((name) => resolve(workingDirectory, name)).find((path) => existsSync(path));
  const approvals = (['ask', 'refuse', 'off'] as const).find((word) => word === optionValue(given, '--approvals'));
  return {
    ...thisMachine(programDirectory),
    workingDirectory,
    document: named ?? found ?? null,
    mission: optionValue(given, '--mission') ?? null,
    imports,
    hostConfig: optionValue(given, '--host-config') ?? null,
    environmentFile: optionValue(given, '--env-file') ?? null,
    trustsAnnotations: given.options.has('--trust-annotations'),
    policy: { approvals: approvals ?? 'ask', allow: given.options.get('--allow') ?? [] },
    artifacts: optionValue(given, '--artifacts') ?? null,
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
    tell,
  };
}

async function serve(
  code: OpenCode,
  given: GivenArguments,
  { standardInput, signal, programDirectory, reportBug }: CommandContext,
  tell: Tell,
): Promise<CommandEnd> {
  const asks = optionValue(given, '--approvals') === 'off' ? '; approvals are off: every tool may be called' : '';
  tell(`ready${code.servers.length === 0 ? '' : `, starting ${code.servers.join(', ')}`}${asks}`);
  // In the order in which they were sent, each whole.
  let last: Promise<unknown> = Promise.resolve();
  await serveCode(code, {
    input: standardInput(),
    send: (text) => {
      last = last.then(async () => writeStream(1, `${text}\n`));
    },
    signal,
    valueChars: Number(optionValue(given, '--value-chars') ?? VALUE_CHARS),
    answerWithinMs: Number(optionValue(given, '--answer-within-ms') ?? ANSWER_WITHIN_MS),
    version: readBuildFacts(programDirectory).version,
    reportBug: (error) => {
      void reportBug(error);
    },
  });
  await last;
  return { kind: 'conversed', fate: { fate: 'succeeded' } };
}

/** What each server offers, and what of it needs a person. */
async function check(code: OpenCode): Promise<CommandEnd> {
  await code.room.settled;
  const { tools } = code.contents();
  const rows = code.room.servers().map(({ alias, state, tools: count }) => {
    const own = tools.filter(({ name }) => name.startsWith(`${alias}.`));
    const tokens = Math.ceil(own.reduce((sum, { description }) => sum + description.length, 0) / CHARACTERS_PER_TOKEN);
    const asks = own.filter((tool) => tool.asks).length;
    return [
      alias,
      state.state,
      String(count),
      String(tokens),
      String(asks),
      state.state === 'unready' ? state.reason : '',
    ];
  });
  await code.close();
  await writeStream(1, table([['server', 'state', 'tools', 'tokens', 'ask', ''], ...rows]));
  const asking = tools.filter((tool) => tool.asks).map(({ name }) => name);
  if (asking.length > 0)
    await writeStream(
      1,
      `\nTools that ask a person are refused until they are allowed:\n  --allow '${asking[0] ?? ''}'\n  --trust-annotations\n`,
    );
  const down = rows.findIndex(([, state]) => state !== 'ready');
  const alias = rows[down]?.[0];
  if (alias === undefined) return { kind: 'conversed', fate: { fate: 'succeeded' } };
  const subject = providerSubject(alias, 'acquisition', { destination: 'mission', index: down });
  return { kind: 'failed', diagnostic: diagnostic('provider_unavailable', { subject }), hint: null };
}

/** About so many characters of English are one token. */
const CHARACTERS_PER_TOKEN = 4;

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => visibleText(cell).padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function launcher({ programDirectory }: CommandContext): string {
  const path = resolve(programDirectory, '../bin/svc');
  return existsSync(path) ? path : resolve(process.argv[1] ?? 'svc');
}

/** The arguments of this command as they were given, but for that which prints them; paths are absolute. */
function codeArguments({ positionals, options }: GivenArguments): readonly string[] {
  const given = [...options].filter(([name]) => name !== '--print-config');
  return [
    'code',
    ...positionals,
    ...given.flatMap(([name, values]) => values.flatMap((value) => (value === '' ? [name] : [name, value]))),
  ];
}
