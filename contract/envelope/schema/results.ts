import { NAME } from '../../diagnostics/grammar.ts';
import { DESTINATIONS } from '../../diagnostics/vocabulary.ts';
import { RUN_REFERENCE_PATTERN } from '../build.ts';
import { DOCS_PAGES, PROSE_PAGES } from '../docs-pages.ts';
import { INIT_LISTS } from '../../init-lists.ts';
import { DATA_CLASSES, INSTALLATION_SOURCES, RESULT_BOUNDS, type HelpResult } from '../results.ts';
import type { ResultCommand } from '../types.ts';
import { READY_REPORT, SELECTOR } from './doctor.ts';
import {
  ANY,
  BOOLEAN,
  COUNT,
  NULL,
  anyOf,
  array,
  constant,
  integer,
  map,
  object,
  oneOfValues,
  pattern,
  string,
  tuple,
  type SchemaNode,
} from './nodes.ts';

/** The result of each command in the schema (interface.md §1.2.11; cli.md §10; providers.md §13). */

const DIGEST = pattern('sha256:[0-9a-f]{64}');
const HEX = pattern('[0-9a-f]{64}');
/** MAJOR.MINOR.PATCH with optional pre-release and build parts (interface.md §1.2.11). */
const SEMANTIC_VERSION = pattern(
  '(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?',
  256,
);
const B = RESULT_BOUNDS;

const VALIDATE = object({
  application_content_digest: DIGEST,
  effective_application_digest: DIGEST,
  installation_config_digests: map(NAME, DIGEST, B.installations),
  workflow_bundle_hash: HEX,
  mission_bundle_hashes: map(NAME, { anyOf: [NULL, HEX] }, B.missions),
  mission_grants: map(
    NAME,
    object({
      data: array(
        { type: 'string', pattern: '^data/.+$', minLength: 6, maxLength: B.grantItemLength },
        { maxItems: B.grantItems },
      ),
      exports: array(string(1, B.grantItemLength), { maxItems: B.grantItems }),
      providers: array(pattern(NAME), { maxItems: B.grantProviders }),
    }),
    B.missions,
  ),
  provider_activity: constant(false),
});

const DOCS = anyOf([
  object({
    pages: tuple(
      DOCS_PAGES.map((name) => object({ name: constant(name), title: string(1), bytes: integer(1) })),
      false,
      DOCS_PAGES.length,
    ),
  }),
  object({ page: oneOfValues(DOCS_PAGES), content: string(1) }),
  object({
    term: string(1, B.searchTermLength),
    matches: array(object({ page: oneOfValues(PROSE_PAGES), line: integer(1), text: string(0, B.searchTextLength) }), {
      maxItems: B.searchMatches,
    }),
    omitted_matches: COUNT,
    omitted_pages: COUNT,
  }),
]);

const MODELS = object({
  installations: array(
    object(
      {
        alias: pattern(NAME),
        source: oneOfValues(INSTALLATION_SOURCES),
        installation_revision: pattern(NAME),
        data_class: oneOfValues(DATA_CLASSES),
        accepts_data: array(oneOfValues(DATA_CLASSES), { minItems: 1, maxItems: DATA_CLASSES.length }),
        destinations: array(oneOfValues(DESTINATIONS), { maxItems: DESTINATIONS.length }),
      },
      { model_selector: SELECTOR },
    ),
    { maxItems: B.installations },
  ),
});

const CATALOG = object({
  provider: pattern(NAME),
  tool_count: integer(0, B.catalogTools),
  tools: array(
    object(
      { name: string(1, B.toolNameLength), input_schema: ANY },
      { description: string(0, B.toolDescriptionLength), output_schema: ANY },
    ),
    { maxItems: B.catalogTools },
  ),
  pagination: object({ pages: integer(1, B.catalogPages), truncated: constant(false) }),
});

const PATH = string(1, B.pathLength);

/** `help`: the fixed results of all topics, from the command declarations. */
export function commandResults(help: readonly HelpResult[]): Readonly<Record<ResultCommand, SchemaNode>> {
  return {
    help: oneOfValues(help),
    version: object({
      version: SEMANTIC_VERSION,
      source_revision: pattern('[0-9a-f]{40}'),
      source_dirty: BOOLEAN,
    }),
    docs: DOCS,
    init: object({ created: oneOfValues(Object.values(INIT_LISTS)) }),
    validate: VALIDATE,
    doctor: READY_REPORT,
    models: MODELS,
    catalog: CATALOG,
    materialize: anyOf([
      object({ mode: constant('source-out'), path: PATH }),
      object({ mode: constant('candidate'), directory: PATH }),
    ]),
    transcript: object({
      command: constant('transcript'),
      run_ref: pattern(RUN_REFERENCE_PATTERN),
      path: PATH,
      turns: integer(0, B.turns),
    }),
  };
}
