import { recoveryName } from '../../contract/recovery-name.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandName } from '../declaration/table.ts';
import type { CommandArguments, OptionName } from '../declaration/types.ts';

/** Something else that a command will write; its envelope may be neither the same file nor inside it. */
export interface OtherDestination {
  /** Option or placeholder that names it, for the message. */
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

const RESULT_OPTIONS: readonly OptionName[] = ['--output', '--private-output'];

/** Every other destination of one command line (cli.md §2, "--envelope equal to another destination"). */
export function otherDestinations(
  name: CommandName,
  commandArguments: CommandArguments,
  runRef: string,
): readonly OtherDestination[] {
  switch (name) {
    case 'run':
      return runDestinations(commandArguments, runRef);
    case 'transcript':
      return files(commandArguments, ['--private-output']);
    case 'materialize':
      return [
        ...files(commandArguments, ['--source-out']),
        ...directories('--out', optionValue(commandArguments, '--out')),
      ];
    case 'init':
      return directories('DIRECTORY', commandArguments.positionals[0]);
    default:
      return [];
  }
}

/** The class of a run is not known yet, so both names of its trace are meant, and a result's recovery file. */
function runDestinations(commandArguments: CommandArguments, runRef: string): readonly OtherDestination[] {
  const traceDirectory = optionValue(commandArguments, '--trace-dir');
  const traces =
    traceDirectory === undefined
      ? []
      : [`${runRef}.jsonl`, `${runRef}.private.jsonl`].map((file): OtherDestination => ({
          name: '--trace-dir',
          path: `${traceDirectory}/${file}`,
          kind: 'file',
        }));
  const results = files(commandArguments, RESULT_OPTIONS);
  const recoveries = results.map(({ name, path }): OtherDestination => ({
    name,
    path: `${path.slice(0, path.lastIndexOf('/'))}/${recoveryName(runRef)}`,
    kind: 'file',
  }));
  return [...traces, ...results, ...recoveries, ...files(commandArguments, ['--inspect'])];
}

function files(commandArguments: CommandArguments, names: readonly OptionName[]): readonly OtherDestination[] {
  return names.flatMap((name) => {
    const path = optionValue(commandArguments, name);
    return path === undefined ? [] : [{ name, path, kind: 'file' } as const];
  });
}

function directories(name: string, path: string | undefined): readonly OtherDestination[] {
  return path === undefined ? [] : [{ name, path, kind: 'directory' }];
}
