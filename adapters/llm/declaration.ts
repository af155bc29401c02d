import type { ParamName, SchemaMode } from './vendors.ts';

/** An installed and selected model as plain data (providers.md §5.2), made by the supervisor from its documents. */
export interface ModelDeclaration {
  readonly selector: string;
  /** Name of its one credential in the host document. */
  readonly credential: string;
  readonly params: Params;
  readonly schemaMode: SchemaMode;
  /** Wins over what requests say of it. */
  readonly cache: boolean;
  readonly guarantees: { readonly tokens: boolean; readonly cost: boolean };
  /** Whether the run has a cost budget, which needs a price. */
  readonly needsPrice: boolean;
  /** As the selection narrowed them; bytes and milliseconds. */
  readonly maxCalls: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly timeoutMs: number;
  /** Region of Bedrock: `AWS_REGION` of the environment, else the host's own setting; null without either. */
  readonly region: string | null;
}

export type Params = Readonly<Partial<Record<Exclude<ParamName, 'reasoning_effort'>, number>> & { reasoning_effort?: string }>;
