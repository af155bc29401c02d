import type { CommandName } from '../declaration/types.ts';
import type { Command } from './command.ts';

export type LoadCommand = (name: CommandName) => Promise<Command>;

/** Brings in the work of one command and nothing of the others (cli.md §12.8). */
export const loadCommand: LoadCommand = async (name) => {
  switch (name) {
    case 'catalog':
      return (await import('./catalog.ts')).catalogCommand;
    case 'completion':
      return (await import('./completion.ts')).completionCommand;
    case 'docs':
      return (await import('./docs.ts')).docsCommand;
    case 'explain':
      return (await import('./explain.ts')).explainCommand;
    case 'fixtures':
      return (await import('./fixtures.ts')).fixturesCommand;
    case 'init':
      return (await import('./init.ts')).initCommand;
    case 'repl':
      return (await import('./repl.ts')).replCommand();
    case 'run':
      return (await import('./run.ts')).runCommand();
    case 'validate':
      return (await import('./validate.ts')).validateCommand;
    case 'version':
      return (await import('./version.ts')).versionCommand;
    case 'doctor':
      return (await import('./host-required.ts')).requiringHost(name, (await import('./doctor.ts')).doctorCommand());
    case 'models':
      return (await import('./host-required.ts')).requiringHost(name, (await import('./models.ts')).modelsCommand);
    case 'man':
      return (await import('./man.ts')).manCommand;
    case 'materialize':
      return (await import('./materialize.ts')).materializeCommand;
    case 'transcript':
      return (await import('./transcript.ts')).transcriptCommand;
    case 'prune':
      return (await import('./prune.ts')).pruneCommand;
    case 'viewer':
      return (await import('./viewer.ts')).viewerCommand;
    case 'gateway':
      return (await import('./gateway.ts')).gatewayCommand;
    case 'runner':
      return (await import('./runner.ts')).runnerCommand;
    case 'help':
      throw new Error('help is told without loading a command');
  }
};
