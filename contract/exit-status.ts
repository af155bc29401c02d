import { exitStatus, type Diagnostic } from './diagnostics/diagnostic.ts';
import { STOP_STATUS, type StopSignal } from './stop-signals.ts';

/** What became of a command, as far as its exit status is concerned. */
export type CommandOutcome =
  | { readonly outcome: 'succeeded' }
  /** `stop`: the signal that had asked it to stop by then, which counts only where the command failed for it. */
  | { readonly outcome: 'failed'; readonly error: Diagnostic; readonly stop: StopSignal | null }
  /** A conversation that ended at a signal. */
  | { readonly outcome: 'stopped'; readonly stop: StopSignal }
  /** A gateway that did not start, and one that could not stop in order. */
  | { readonly outcome: 'gateway_refused' | 'gateway_forced' }
  /** `conversation_failed`: after its start. `envelope_lost`: one that was asked for could not be published. */
  | { readonly outcome: 'conversation_failed' | 'envelope_lost' | 'output_lost' | 'output_closed' };

/** The exit status of every command (cli.md §5), and what it would have been, for an embedding program. */
export function exitStatusOf(end: CommandOutcome): number {
  switch (end.outcome) {
    case 'succeeded':
      return 0;
    case 'conversation_failed':
      return 1;
    case 'failed':
      return end.stop !== null && end.error.code === 'internal_error' ? STOP_STATUS[end.stop] : exitStatus(end.error);
    case 'envelope_lost':
    case 'output_lost':
      return 74;
    case 'gateway_refused':
      return 78;
    case 'gateway_forced':
      return 70;
    case 'stopped':
      return STOP_STATUS[end.stop];
    case 'output_closed':
      return 141;
  }
}

/** What each status of the program means (cli.md §5); a status is a class, the code of the failure reports more. */
export const EXIT_STATUS_MEANINGS: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'success, also after capability calls that were refused and handled'],
  ['1', 'a session, the viewer or svc lsp ended in failure after its start; svc fmt --check found something'],
  ['2', 'wrong arguments'],
  ['3', 'the project, the host, the application, its bundle or the declaration of a provider'],
  ['4', 'what runs need around them: the environment, a provider, its authorisation'],
  ['5', 'the program failed while it ran'],
  ['6', 'a limit of the run: time, turns, memory, calls, output of a model'],
  ['7', 'a destination, evidence or a result that could not be written, and prune'],
  ['70', 'an internal error, or a frontend that could not start'],
  ['74', 'the envelope that was asked for could not be published, or output was lost'],
  ['78', 'the gateway did not start'],
  ['130, 143', 'stopped by SIGINT or SIGTERM'],
  ['141', 'the reader of the output went away'],
];
