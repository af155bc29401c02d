import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';

export type ContractType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** One node of a compiled contract: what its value must be. Absent parts demand nothing. */
export interface ContractNode {
  readonly types: readonly ContractType[];
  readonly minimum: number | bigint | null;
  readonly maximum: number | bigint | null;
  /** Code points. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  /** The one format of the profile. */
  readonly digest: boolean;
  readonly constant: { readonly value: JsonValue } | null;
  readonly members: readonly JsonValue[] | null;
  /** In byte order of their names. */
  readonly properties: ReadonlyMap<string, ContractNode>;
  /** In byte order. */
  readonly required: readonly string[];
  /** Undeclared properties are accepted. */
  readonly open: boolean;
  readonly items: ContractNode | null;
}

export type ContractRoot =
  | { readonly kind: 'object'; readonly node: ContractNode }
  | {
      readonly kind: 'union';
      readonly discriminator: string;
      /** In order of the file; tags are all different. */
      readonly branches: readonly UnionBranch[];
    };

export interface UnionBranch {
  readonly tag: string;
  readonly node: ContractNode;
}

/** A contract of the closed profile (documents.md §4). */
export interface CompiledContract {
  readonly root: ContractRoot;
  readonly normalised: JsonObject;
  /** `normalised` with `x-mcp-header` kept, for the gateway's tool list. */
  readonly annotated: JsonObject;
  /** `normalised` without `title` and `description`: what the behaviour hash sees. */
  readonly behaviour: JsonObject;
}
