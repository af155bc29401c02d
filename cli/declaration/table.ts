import { APPROVALS } from './commands/approvals.ts';
import { AUTH } from './commands/auth.ts';
import { CATALOG } from './commands/catalog.ts';
import { CODE } from './commands/code.ts';
import { COMPLETION } from './commands/completion.ts';
import { CONFIG } from './commands/config.ts';
import { DOCS } from './commands/docs.ts';
import { DOCTOR } from './commands/doctor.ts';
import { EXPLAIN } from './commands/explain.ts';
import { FMT } from './commands/fmt.ts';
import { FIXTURES } from './commands/fixtures.ts';
import { GATEWAY } from './commands/gateway.ts';
import { HELP_COMMAND } from './commands/help.ts';
import { HOST } from './commands/host.ts';
import { INIT } from './commands/init.ts';
import { LSP } from './commands/lsp.ts';
import { MAN } from './commands/man.ts';
import { MATERIALIZE } from './commands/materialize.ts';
import { MODELS } from './commands/models.ts';
import { NEW } from './commands/new.ts';
import { PRUNE } from './commands/prune.ts';
import { REPL } from './commands/repl.ts';
import { RUN } from './commands/run.ts';
import { RUNNER } from './commands/runner.ts';
import { RUNS } from './commands/runs.ts';
import { SCHEMAS } from './commands/schemas.ts';
import { TEST } from './commands/test.ts';
import { TRANSCRIPT } from './commands/transcript.ts';
import { VALIDATE } from './commands/validate.ts';
import { VERSION } from './commands/version.ts';
import { VIEWER } from './commands/viewer.ts';
import { WATCH } from './commands/watch.ts';
import type { CommandDeclaration } from './types.ts';

/** In the order in which root help lists them. */
const DECLARED = {
  validate: VALIDATE,
  run: RUN,
  test: TEST,
  watch: WATCH,
  fmt: FMT,
  lsp: LSP,
  prune: PRUNE,
  doctor: DOCTOR,
  models: MODELS,
  catalog: CATALOG,
  init: INIT,
  docs: DOCS,
  help: HELP_COMMAND,
  transcript: TRANSCRIPT,
  repl: REPL,
  viewer: VIEWER,
  materialize: MATERIALIZE,
  version: VERSION,
  gateway: GATEWAY,
  code: CODE,
  approvals: APPROVALS,
  auth: AUTH,
  config: CONFIG,
  host: HOST,
  new: NEW,
  fixtures: FIXTURES,
  runs: RUNS,
  explain: EXPLAIN,
  schemas: SCHEMAS,
  completion: COMPLETION,
  man: MAN,
  runner: RUNNER,
} satisfies Readonly<Record<string, CommandDeclaration>>;

export type CommandName = keyof typeof DECLARED;

/** The one table of the command line: parser, help, help results and schema constants all read it (cli.md §1). */
export const COMMANDS: Readonly<Record<CommandName, CommandDeclaration>> = DECLARED;

export const COMMAND_NAMES: readonly CommandName[] = Object.keys(COMMANDS).filter(isCommandName);

/** Whether a word is the name of a command, byte for byte; an inherited property is none. */
export function isCommandName(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}
