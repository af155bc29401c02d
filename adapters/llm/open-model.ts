import type { JsonText } from '../../contract/json/canonical.ts';
import type { CallAnswer } from '../../contract/provider-protocol/call.ts';
import type { OutputLimit } from '../../contract/provider-protocol/model.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';

/** A model that can be asked. */
export interface OpenModel {
  readonly session: ProviderSession;
  /** Asks once, without any bound but the signal's; `maxTokens` as given. */
  ask(
    request: JsonText,
    outputLimit: OutputLimit,
    signal: AbortSignal,
  ): Promise<Pick<CallAnswer, 'outcome' | 'attempts'>>;
  close(): Promise<void>;
}
