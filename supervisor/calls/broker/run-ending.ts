import type { Destination } from '../../../contract/diagnostics/diagnostic.ts';
import type { AuthenticatedFailure } from './route.ts';

/** Why a program was stopped before it ran: for a name that it may not call. */
export type Denial = 'unknown_tool' | 'private_tool_unauthorized';

/** What ends a run whatever its workflow makes of it (runtime.md §7, §9). */
export type RunEnding =
  | { readonly kind: 'authenticated'; readonly failure: AuthenticatedFailure }
  /** More malformed requests than `protocol_errors` allows. */
  | { readonly kind: 'protocol_errors'; readonly limit: number }
  /** An event of a private run was refused. */
  | { readonly kind: 'event_sink' }
  /** A private record was refused; the inspection knows why. */
  | { readonly kind: 'inspection_sink' };

/** Which of the selected providers. */
export interface ProviderPlace {
  readonly alias: string;
  readonly destination: Destination;
  /** Position in the manifest's list. */
  readonly index: number;
}

/** A limit, a miss or a loss that the run itself answered a program with. */
export type IssuedRefusal =
  | { readonly kind: 'quota'; readonly limit: string; readonly name: string; readonly value: number }
  | { readonly kind: 'alias_quota'; readonly alias: string; readonly value: number }
  | {
      readonly kind: 'budget';
      readonly limit: string;
      readonly value: number;
      readonly requested: number;
      readonly remaining: number;
    }
  | { readonly kind: 'replay_miss'; readonly requestHash: string | null }
  | ({ readonly kind: 'provider_lost' } & ProviderPlace);
