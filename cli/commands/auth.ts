import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { Failed } from '../../contract/outcome.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { listGrants, logIn, logOut, type AuthOptions, type NamedAuthOptions } from '../../supervisor/api/grants.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { authTask } from '../declaration/commands/auth.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { grantFacts, grantsTable, loginText, logoutText } from '../streams/grants-table.ts';
import type { Command, CommandContext } from './command.ts';

/** Signs people in to servers of tools, and says what they granted (world.md §2.5). */
export const authCommand: Command = async (commandArguments, context) => {
  const { workingDirectory, programDirectory, variables, signal } = context;
  const { documents, clock } = thisMachine(programDirectory);
  const options: AuthOptions = {
    variables,
    workingDirectory,
    documents,
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    signal,
  };
  const now = clock.wall();
  switch (authTask(commandArguments)) {
    case 'login':
      return performLogin({ ...options, name: nameIn(commandArguments) }, context, now);
    case 'logout':
      return performLogout({ ...options, name: nameIn(commandArguments) });
    case 'list':
    case undefined: {
      const listed = await listGrants({ ...options, now });
      if (!listed.ok) return failed(listed);
      const rows = listed.value;
      return result({ grants: rows.map(grantFacts) }, () => grantsTable(rows));
    }
  }
};

async function performLogin(options: NamedAuthOptions, context: CommandContext, now: number): Promise<CommandEnd> {
  const { progressStream } = context;
  const notify = (url: string): void => progressStream().write(`to authorize, open ${visibleText(url)}\n`);
  const done = await logIn({ ...options, notify });
  if (!done.ok) return failed(done);
  const { grant, setAside } = done.value;
  if (setAside !== null)
    progressStream().write(`warning: a damaged grant stood in its place and was moved to ${setAside}\n`);
  return result(grantFacts({ state: 'usable', grant }), () => loginText(grant, now));
}

async function performLogout(options: NamedAuthOptions): Promise<CommandEnd> {
  const done = await logOut(options);
  if (!done.ok) return failed(done);
  const ended = done.value;
  return result({ ended: ended.map(({ endpoint, revocation }) => ({ endpoint, revocation })) }, () =>
    logoutText(options.name, ended),
  );
}

function nameIn({ positionals }: CommandArguments): string {
  const [, name] = positionals;
  if (name === undefined) throw new TypeError('the declaration of this command requires a name');
  return name;
}

function failed({ diagnostic, advice }: Failed): CommandEnd {
  return { kind: 'failed', diagnostic, hint: advice?.hint ?? null, faults: advice?.faults ?? null };
}

function result(plain: object, text: () => string): CommandEnd {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('what is reported of grants is plain data');
  return { kind: 'result', value, text: null, terminalText: text };
}
