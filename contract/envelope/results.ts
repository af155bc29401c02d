import type { JsonValue } from '../json/value.ts';
import type { DocsPage, ProsePage } from './docs-pages.ts';
import type { DoctorReadyResult } from './doctor.ts';
import type { InitList } from '../init-lists.ts';

/** The result of each command that succeeds (interface.md §1.2.11; cli.md §10; providers.md §13). */

export const HELP_TOPICS = [
  'catalog',
  'docs',
  'doctor',
  'init',
  'materialize',
  'models',
  'prune',
  'repl',
  'root',
  'run',
  'transcript',
  'validate',
  'version',
  'viewer',
] as const;
/** What help can be asked about with an envelope (cli.md §6). */
export type HelpTopic = (typeof HELP_TOPICS)[number];

/** Help is fixed per topic; the constants are made from the command declarations. */
export interface HelpResult {
  readonly topic: HelpTopic;
  readonly usage: readonly string[];
  readonly options: readonly { readonly description: string; readonly switches: readonly string[] }[];
  readonly notices: readonly string[];
}

/** Result of `svc version`: the program, and the sources that it was built from. */
export interface VersionResult {
  readonly version: string;
  /** 40 hex digits. */
  readonly source_revision: string;
  readonly source_dirty: boolean;
}

/** Result of `svc validate`: digests and bundle hashes of the application, and what each mission is granted. */
export interface ValidateResult {
  readonly application_content_digest: string;
  readonly effective_application_digest: string;
  readonly installation_config_digests: Readonly<Record<string, string>>;
  readonly workflow_bundle_hash: string;
  /** Null: a mission without components. */
  readonly mission_bundle_hashes: Readonly<Record<string, string | null>>;
  readonly mission_grants: Readonly<
    Record<
      string,
      { readonly data: readonly string[]; readonly exports: readonly string[]; readonly providers: readonly string[] }
    >
  >;
  readonly provider_activity: false;
}

/**
 * Result of `svc docs`: the list of pages, one page, or what a search found; lines count from 1, sizes are UTF-8 bytes.
 */
export type DocsResult =
  | { readonly pages: readonly { readonly name: DocsPage; readonly title: string; readonly bytes: number }[] }
  | { readonly page: DocsPage; readonly content: string }
  | {
      readonly term: string;
      readonly matches: readonly { readonly page: ProsePage; readonly line: number; readonly text: string }[];
      readonly omitted_matches: number;
      readonly omitted_pages: number;
    };

/** Result of `svc init`: the files, in the order of the published list. */
export interface InitResult {
  readonly created: InitList;
}

export const DATA_CLASSES = ['normal', 'private_inspection'] as const;
/** How confidential data is (documents.md §7). */
export type DataClass = (typeof DATA_CLASSES)[number];

/** Installed sources as results report them; decision sources appear as `custom` (documents.md §7). */
export const INSTALLATION_SOURCES = [
  'custom',
  'llm',
  'llm_replay',
  'mcp',
  'svc_inspection_snapshot',
  'svc_private_trace_snapshot',
  'svc_trace_snapshot',
] as const;

/** Result of `svc models`: what the host installs, by alias. */
export interface ModelsResult {
  readonly installations: readonly {
    readonly alias: string;
    readonly source: (typeof INSTALLATION_SOURCES)[number];
    readonly installation_revision: string;
    readonly data_class: DataClass;
    readonly accepts_data: readonly DataClass[];
    readonly destinations: readonly ('workflow' | 'mission')[];
    readonly model_selector?: string;
  }[];
}

/** Result of `svc catalog`: the tools of one provider, as its server lists them. */
export interface CatalogResult {
  readonly provider: string;
  readonly tool_count: number;
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input_schema: JsonValue;
    readonly output_schema?: JsonValue;
  }[];
  readonly pagination: { readonly pages: number; readonly truncated: false };
}

/** Result of `svc materialize`: where the source, or the candidate, was written. */
export type MaterializeResult =
  | { readonly mode: 'source-out'; readonly path: string }
  | { readonly mode: 'candidate'; readonly directory: string };

/** Result of `svc transcript`: where it was written, and how many turns it has. */
export interface TranscriptResult {
  readonly command: 'transcript';
  /** The run that the transcript is of. */
  readonly run_ref: string;
  readonly path: string;
  readonly turns: number;
}

/** The result of each command that has one (interface.md). */
export interface CommandResults {
  readonly help: HelpResult;
  readonly version: VersionResult;
  readonly docs: DocsResult;
  readonly init: InitResult;
  readonly validate: ValidateResult;
  readonly doctor: DoctorReadyResult;
  readonly models: ModelsResult;
  readonly catalog: CatalogResult;
  readonly materialize: MaterializeResult;
  readonly transcript: TranscriptResult;
}

/** Bounds: interface.md §1.8, cli.md §10, providers.md §13. */
export const RESULT_BOUNDS = {
  installations: 128,
  missions: 16,
  grantItems: 100_000,
  grantItemLength: 1_000_000,
  grantProviders: 32,
  searchTermLength: 128,
  searchMatches: 30,
  searchTextLength: 160,
  catalogTools: 128,
  catalogPages: 64,
  toolNameLength: 128,
  toolDescriptionLength: 4096,
  pathLength: 4096,
  turns: 1000,
} as const;
