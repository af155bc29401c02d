import type { Prices } from './catalogue/entry.ts';
import type { RetryPolicy } from './retry/policy.ts';
import type { ParamName, SchemaMode, Vendor, WireChoice } from './vendors.ts';

/** An installed and selected model as plain data (providers.md §5.2), made by the supervisor from its documents. */
export interface ModelDeclaration {
  readonly selector: string;
  /** Which form of requests the operator wants, where a vendor has several (providers.md §5.1). */
  readonly wire: WireChoice;
  /**
   * Digest of the installation and its revision: what a vendor gave to carry goes back to the same ones alone
   * (providers.md §5.8).
   */
  readonly identity: string;
  /** Name of its one credential in the host document; null for a server that is asked without one. */
  readonly credential: string | null;
  readonly params: Params;
  readonly schemaMode: SchemaMode;
  /** Wins over what requests say of it. */
  readonly cache: boolean;
  readonly guarantees: { readonly tokens: boolean; readonly cost: boolean };
  /** Wishes for who serves a request, which OpenRouter alone takes; null without any. */
  readonly routing: VendorRouting | null;
  /** The operator's own, which win over the catalogue (world.md §1.8); null without any. */
  readonly prices: Prices | null;
  /** Whether the run has a cost budget, which needs a price. */
  readonly needsPrice: boolean;
  /** As the selection narrowed them; bytes and milliseconds. */
  readonly maxCalls: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  /** Region of Bedrock: `AWS_REGION` of the environment, else the host's own setting; null without either. */
  readonly region: string | null;
  /** How a server of the operator's own is asked; null: as its vendor's kind is. */
  readonly server: OwnServer | null;
}

/** What a server of the operator's own wants of requests (world.md §1.6). */
export interface OwnServer {
  /** By their names in lower case: what they carry, or the name of the credential that they carry. */
  readonly headers: ReadonlyMap<string, string | { readonly credential: string }>;
  readonly query: ReadonlyMap<string, string>;
  /** Header, in lower case, that carries the credential as it is; null: `authorization`, as a bearer. */
  readonly credentialHeader: string | null;
  /** Member of a body that carries the output limit; null: as the vendor's kind has it. */
  readonly outputLimitMember: Vendor['outputLimitMember'] | null;
}

/** What OpenRouter gets about its own choice of a vendor (providers.md §11). */
export interface VendorRouting {
  /** Only vendors that keep nothing. */
  readonly zdr?: boolean;
  readonly allow_fallbacks?: boolean;
  readonly data_collection?: 'allow' | 'deny';
}

export type Params = Readonly<
  Partial<Record<Exclude<ParamName, 'reasoning_effort'>, number>> & { reasoning_effort?: string }
>;
