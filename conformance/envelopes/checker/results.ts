import { CREATED, PAGES } from './names.ts';
import { RUN_REFERENCE } from './run.ts';
import {
  NAME,
  anything,
  closed,
  count,
  either,
  entries,
  is,
  like,
  list,
  name,
  nothing,
  text,
  whole,
  yesOrNo,
  type Check,
} from './shape.ts';

/** Results of the commands that succeed (interface.md; shapes it leaves out: cli.md §10, providers.md §13). */

const digest = like(/^sha256:[0-9a-f]{64}$/);
const hex = like(/^[0-9a-f]{64}$/);
const PROSE = PAGES.slice(0, 43);
const dataClass = is('normal', 'private_inspection');

export const selector: Check = (value, at, report) => {
  text(1, 4096)(value, at, report);
  if (typeof value === 'string' && value.startsWith('openai-compat:'))
    report.push(`${at}: a selector that is never shown`);
};

const index: Check = (value, at, report) => {
  list(closed({ name: is(...PAGES), title: text(1), bytes: whole(1) }), 49, 49)(value, at, report);
  const names = Array.isArray(value)
    ? value.map((page: unknown) => (typeof page === 'object' && page !== null && 'name' in page ? page.name : null))
    : [];
  if (JSON.stringify(names) !== JSON.stringify(PAGES)) report.push(`${at}: pages out of order`);
};

const created: Check = (value, at, report) => {
  const input = JSON.stringify(value);
  if (!CREATED.some((names) => JSON.stringify(names) === input)) report.push(`${at}: none of the fixed lists`);
};

export const RESULTS: Readonly<Record<string, Check>> = {
  help: closed({
    topic: is(
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
    ),
    usage: list(text(1), Infinity, 1),
    options: list(closed({ description: text(1), switches: list(text(1), Infinity, 1) }), Infinity),
    notices: list(text(1), Infinity),
  }),
  version: closed({
    version: like(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/, 256),
    source_revision: like(/^[0-9a-f]{40}$/),
    source_dirty: yesOrNo,
  }),
  docs: either(
    closed({ pages: index }),
    closed({ page: is(...PAGES), content: text(1) }),
    closed({
      term: text(1, 128),
      matches: list(closed({ page: is(...PROSE), line: whole(1), text: text(0, 160) }), 30),
      omitted_matches: count,
      omitted_pages: count,
    }),
  ),
  init: closed({ created }),
  validate: closed({
    application_content_digest: digest,
    effective_application_digest: digest,
    installation_config_digests: entries(NAME, digest, 128),
    workflow_bundle_hash: hex,
    mission_bundle_hashes: entries(NAME, either(nothing, hex), 16),
    mission_grants: entries(
      NAME,
      closed({
        data: list(like(/^data\/.+$/, 1_000_000), 100_000),
        exports: list(text(1, 1_000_000), 100_000),
        providers: list(name, 32),
      }),
      16,
    ),
    provider_activity: is(false),
  }),
  models: closed({
    installations: list(
      closed(
        {
          alias: name,
          source: is(
            'custom',
            'llm',
            'llm_replay',
            'mcp',
            'svc_inspection_snapshot',
            'svc_private_trace_snapshot',
            'svc_trace_snapshot',
          ),
          installation_revision: name,
          data_class: dataClass,
          accepts_data: list(dataClass, 2, 1),
          destinations: list(is('workflow', 'mission'), 2),
        },
        { model_selector: selector },
      ),
      128,
    ),
  }),
  catalog: closed({
    provider: name,
    tool_count: whole(0, 128),
    tools: list(
      closed({ name: text(1, 128), input_schema: anything }, { description: text(0, 4096), output_schema: anything }),
      128,
    ),
    pagination: closed({ pages: whole(1, 64), truncated: is(false) }),
  }),
  materialize: either(
    closed({ mode: is('source-out'), path: text(1, 4096) }),
    closed({ mode: is('candidate'), directory: text(1, 4096) }),
  ),
  transcript: closed({
    command: is('transcript'),
    run_ref: like(RUN_REFERENCE),
    path: text(1, 4096),
    turns: whole(0, 1000),
  }),
};
