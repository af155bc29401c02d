import type { CompileReply, EnvironmentKind, GuestOutcome } from '../../../contract/sandbox-protocol.ts';

/** What the guest answers for components that compile. */
export type CompiledReply = Extract<CompileReply, { readonly status: 'compiled' }>;

/** The same components compile to other code in the other kind of environment. */
export interface BundleName {
  readonly environment: EnvironmentKind;
  /** 64 hex digits (documents.md §10). */
  readonly hash: string;
}

/** Compiles; stopped by the caller that came first. */
export type CompileBundle = () => Promise<GuestOutcome<CompileReply>>;

/**
 * Lets many that need the same bundle at the same time compile it once: the first caller compiles, the others get the
 * result. When its compiling was cancelled, which concerns nobody else, the next one compiles. Ends with `cancelled` as
 * soon as the own signal is raised.
 */
export type SharedCompiling = (
  name: BundleName,
  signal: AbortSignal | undefined,
  compile: CompileBundle,
) => Promise<GuestOutcome<CompileReply>>;

/**
 * Compiled bundles of earlier commands. A store may forget anything at any time and changes no result: `find` gives
 * exactly what compiling would give, or null. Neither call throws for what the machine does.
 */
export interface BundleStore {
  find(name: BundleName): Promise<CompiledReply | null>;
  keep(name: BundleName, reply: CompiledReply): Promise<void>;
  /** For those who ask at the same time; absent where nobody else can. */
  readonly compiling?: SharedCompiling;
}

/** Compiles everything again. */
export const NO_BUNDLE_STORE: BundleStore = {
  find: async () => null,
  keep: async () => undefined,
};
