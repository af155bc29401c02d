import type { JsonText } from '../../contract/json/canonical.ts';
import type { OutputLimit } from '../../contract/provider-protocol/model.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';

/** A model that can be asked. */
export interface OpenModel {
  readonly session: ProviderSession;
  /** Asks without any bound but the signal's; `maxTokens` as given. */
  ask(request: JsonText, outputLimit: OutputLimit, signal: AbortSignal): Promise<ProviderOutcome<JsonText>>;
  close(): Promise<void>;
}
