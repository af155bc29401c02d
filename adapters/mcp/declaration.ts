import type { MappedTool, ToolMapping } from '../../contract/tool-mapping.ts';
import type { ChildEnvironment } from './stdio/child-environment.ts';
import type { OwnedOAuth } from './oauth/declaration.ts';
import type { ListedTool } from './protocol/catalogue.ts';
import type { RevisionPolicy } from './protocol/revision.ts';
import type { Executable } from './stdio/executable.ts';

/** What a host document and a selection say of one server, as plain data (providers.md §7). */
export interface ServerDeclaration {
  readonly transport: StdioDeclaration | HttpDeclaration;
  readonly revisions: RevisionPolicy;
  /** The tools that are allowed, in any order. */
  readonly tools: ToolMapping;
  /** A tool that is asked once, and the member of its answer that says which content the server serves (§7.6). */
  readonly snapshotIdentity: { readonly tool: MappedTool; readonly field: string } | null;
  readonly maxCatalogTools: number;
  /** It comes from a client's configuration: what of its catalogue cannot be used is left out, and not all of it. */
  readonly isImported: boolean;
  /** Milliseconds of each step and of each call (§7.7). */
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
}

export interface StdioDeclaration {
  readonly type: 'stdio';
  /** As the host document writes it: an absolute path or a bare name. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly directory: string;
  /** What the child inherits; null where a variable cannot be handed on. */
  readonly inherited: ChildEnvironment | null;
  /** Variables and the credentials that they take. */
  readonly bindings: ReadonlyMap<string, string>;
  readonly launcher: string | null;
  readonly graceMs: number;
  readonly startTimeoutMs: number;
  readonly stderrBytes: number;
  /** As the local check found them; null where there was none. */
  readonly programs: FoundPrograms | null;
}

export interface HttpDeclaration {
  readonly type: 'streamable_http';
  /** As the host document writes it, which was held to the rules of endpoints (documents.md §7). */
  readonly endpoint: string;
  readonly auth: readonly StaticAuth[];
  /** Null where nobody has to authorise it. */
  readonly oauth: OwnedOAuth | null;
}

/** A header that carries a credential, by the name of the credential. */
export type StaticAuth =
  | { readonly scheme: 'bearer' | 'basic'; readonly credential: string }
  | { readonly scheme: 'api_key'; readonly credential: string; readonly header: string };

/** The programs of a server, as they were found before anything was started. */
export interface FoundPrograms {
  readonly command: Executable;
  readonly launcher: Executable | null;
}

/** Tools of a server that are read: those that may be mapped, and one that is asked by itself. */
export interface WantedTools {
  readonly mapping: ToolMapping;
  /** Upstream name; null for none. */
  readonly identity: string | null;
  /** Tools that cannot be used are left out, instead of their whole server. */
  readonly leavesOut: boolean;
}

/** A mapping and what its server says of it. */
export interface OfferedTool {
  readonly declared: MappedTool;
  readonly listed: ListedTool;
}
