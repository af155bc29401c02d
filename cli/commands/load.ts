import type { CommandName } from '../declaration/table.ts';
import type { Command } from './command.ts';

export type LoadCommand = (name: CommandName) => Promise<Command>;

/** Brings in the work of one command and nothing of the others (cli.md §12.8). */
export const loadCommand: LoadCommand = async (name) => LOADS[name]();

const LOADS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  approvals: async () => (await import('./approvals.ts')).approvalsCommand,
  auth: async () => (await import('./auth.ts')).authCommand,
  catalog: async () => (await import('./catalog.ts')).catalogCommand,
  code: async () => (await import('./code.ts')).codeCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  config: async () => (await import('./config.ts')).configCommand,
  docs: async () => (await import('./docs.ts')).docsCommand,
  doctor: async () =>
    (await import('./host-required.ts')).requiringHost('doctor', (await import('./doctor.ts')).doctorCommand()),
  explain: async () => (await import('./explain.ts')).explainCommand,
  fixtures: async () => (await import('./fixtures.ts')).fixturesCommand,
  fmt: async () => (await import('./fmt.ts')).fmtCommand,
  gateway: async () => (await import('./gateway.ts')).gatewayCommand,
  host: async () => (await import('./host.ts')).hostCommand,
  help: async () => Promise.reject(new Error('help is printed without loading a command')),
  init: async () => (await import('./init.ts')).initCommand,
  lsp: async () => (await import('./lsp.ts')).lspCommand,
  man: async () => (await import('./man.ts')).manCommand,
  materialize: async () => (await import('./materialize.ts')).materializeCommand,
  models: async () =>
    (await import('./host-required.ts')).requiringHost('models', (await import('./models.ts')).modelsCommand),
  new: async () => (await import('./new.ts')).newCommand(),
  prune: async () => (await import('./prune.ts')).pruneCommand,
  repl: async () => (await import('./repl.ts')).replCommand(),
  run: async () => (await import('./run.ts')).runCommand(),
  runs: async () => (await import('./runs.ts')).runsCommand,
  runner: async () => (await import('./runner.ts')).runnerCommand,
  schemas: async () => (await import('./schemas.ts')).schemasCommand,
  test: async () => (await import('./test.ts')).testCommand,
  transcript: async () => (await import('./transcript.ts')).transcriptCommand,
  validate: async () => (await import('./validate.ts')).validateCommand,
  version: async () => (await import('./version.ts')).versionCommand,
  watch: async () => (await import('./watch.ts')).watchCommand,
  viewer: async () => (await import('./viewer.ts')).viewerCommand,
};
