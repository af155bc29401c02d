import type { Rejection } from './parser/fault.ts';
import type { Variables } from './process/variables.ts';

/** Whether stdout is for people or carries the envelope itself (cli.md §12.1). */
export interface OutputMode {
  readonly json: boolean;
  /** The command line without the switch. */
  readonly argv: readonly string[];
  readonly rejection: Rejection | null;
}

/** `--json` is before the command, so that it takes no option name from any; SVC_OUTPUT says the same. */
export function outputMode(argv: readonly string[], variables: Variables): OutputMode {
  if (argv[0] === '--json') return { json: true, argv: argv.slice(1), rejection: null };
  const word = variables['SVC_OUTPUT'] ?? '';
  if (word === '' || word === 'text' || word === 'json') return { json: word === 'json', argv, rejection: null };
  return {
    json: false,
    argv,
    rejection: { command: 'unknown', fault: { kind: 'unfit' }, hint: 'SVC_OUTPUT is json or text' },
  };
}
