import type { CompileReply, EnvironmentKind } from '../../contract/sandbox-protocol.ts';

/** What the guest answers for components that compile. */
export type CompiledReply = Extract<CompileReply, { readonly status: 'compiled' }>;

/** The same components compile to other code in the other kind of environment. */
export interface BundleName {
  readonly environment: EnvironmentKind;
  /** 64 hex digits (documents.md §10). */
  readonly hash: string;
}

/**
 * Compiled bundles of earlier commands. A store may forget anything at any time and changes no result: `find` gives
 * exactly what compiling would give, or null. Neither call throws for what the machine does.
 */
export interface BundleStore {
  find(name: BundleName): Promise<CompiledReply | null>;
  keep(name: BundleName, reply: CompiledReply): Promise<void>;
}

/** Compiles everything anew. */
export const NO_BUNDLE_STORE: BundleStore = {
  find: async () => null,
  keep: async () => undefined,
};
