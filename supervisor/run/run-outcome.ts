import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import type { RunStoppedFacts } from '../evidence/event.ts';
import type { Advice } from '../../contract/outcome.ts';
import type { WorkflowFailure } from './failure/workflow-failure.ts';
import type { GuardedResult } from './result-guard.ts';

/**
 * What a run came to before it was closed, and is sealed with. `stopped` are further members of its last event,
 * `advice` what people read about it.
 */
export type RunOutcome =
  /** A session, whose values were its own affair. */
  | { readonly kind: 'none' }
  /** A value that passed every guard. */
  | { readonly kind: 'value'; readonly result: GuardedResult }
  /** The workflow gave a value and a later guard refused it. */
  | {
      readonly kind: 'refused';
      readonly error: Diagnostic;
      readonly stopped?: Partial<RunStoppedFacts>;
      readonly advice?: Advice;
    }
  | ({
      readonly kind: 'failed';
      readonly stopped?: Partial<RunStoppedFacts>;
      readonly advice?: Advice;
      /** What was said of the call whose failure the workflow failed with. */
      readonly provider?: ProviderWords | null;
    } & WorkflowFailure);
