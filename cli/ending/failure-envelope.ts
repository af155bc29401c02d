import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, isUnclassified, runFailure, unclassifiedRunFailure } from '../../contract/envelope/build.ts';
import type { CommandFailure, Envelope, PlainCommand } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { EnvelopeCommand } from '../declaration/types.ts';

function failureOf<Command extends PlainCommand>(command: Command) {
  return (runReference: RunReference, error: Diagnostic): CommandFailure<Command> =>
    commandFailure(command, runReference, error);
}

/** One row for each command, because the envelope is a union over them. */
const PLAIN_FAILURES = {
  help: failureOf('help'),
  version: failureOf('version'),
  docs: failureOf('docs'),
  init: failureOf('init'),
  validate: failureOf('validate'),
  doctor: failureOf('doctor'),
  models: failureOf('models'),
  catalog: failureOf('catalog'),
  materialize: failureOf('materialize'),
  transcript: failureOf('transcript'),
  unknown: failureOf('unknown'),
} as const satisfies Readonly<Record<PlainCommand, unknown>>;

/**
 * The envelope of a command that failed before its own work began, or through a bug. A run that never began has no
 * class and asked for nothing that could be reported (cli.md §2).
 */
export function failureEnvelope(command: EnvelopeCommand, runReference: RunReference, error: Diagnostic): Envelope {
  if (command !== 'run') return PLAIN_FAILURES[command](runReference, error);
  const nothing = 'not_requested';
  const artifactState = { trace: nothing, inspection: nothing, result: nothing } as const;
  if (isUnclassified(error)) return unclassifiedRunFailure({ runReference, error, warnings: [], artifactState });
  return runFailure({
    runReference,
    error,
    warnings: [],
    artifactState,
    artifactClass: 'normal',
    secondaryErrors: [],
    execution: { state: 'not_started' },
  });
}
