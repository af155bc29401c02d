import type { CompileFault, EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import type { EvaluationLoss } from './losses.ts';

/** What one program came to in one isolate; what that means is for who asked. */
export type Evaluated =
  | { readonly kind: 'replied'; readonly reply: EvaluateReply }
  /** Its bundle refused to attach, so that none of it ran. */
  | { readonly kind: 'not_attached'; readonly fault: CompileFault }
  | {
      readonly kind: 'lost';
      readonly loss: EvaluationLoss;
      readonly signal: NodeJS.Signals | null;
      readonly during: 'compilation' | 'execution';
    };
