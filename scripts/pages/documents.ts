/** The reference pages of the four documents: their fields from the tables that load them, and the rules beyond one field. */
import { EXAMPLE_LISTS, EXAMPLE_NAMES } from '../../contract/init-lists.ts';
import type { ExampleName } from '../../contract/init-lists.ts';
import { GATEWAY } from '../../supervisor/documents/gateway/fields.ts';
import { HOST } from '../../supervisor/documents/host/fields.ts';
import { MANIFEST } from '../../supervisor/documents/manifest/fields.ts';
import { PROJECT } from '../../supervisor/documents/project/fields.ts';
import type { StartCode } from '../../supervisor/gateway/start/codes.ts';
import { code, FIELD_NOTATION, fieldTable, page, table } from './tables.ts';

/** In the order in which a start looks for them (documents.md §8). */
const START_CODES: Readonly<Record<StartCode, string>> = {
  config_unavailable: 'the document cannot be read',
  duplicate_json_key: 'a member stands twice in it',
  config_invalid: 'it is not as the table above wants it',
  origin_invalid: 'an entry of `allowed_origins` is no serialised http(s) origin',
  tool_name_duplicate: 'two tools have one name',
  audit_invalid: '`private_audit` is missing where a tool may write, or there where none may',
  host_invalid: 'the host file is not there or not right',
  credential_unavailable: 'the bearer, the environment file or a credential of a provider cannot be had',
  artifact_root_unavailable: 'the directory of artifacts is not there, or others may use it',
  template_invalid: 'an application cannot be served: no contracts, private events, a run name of its own, an effect that cannot be told, or it does not compile',
  provider_source_unsupported: 'it selects a server that a person authorises, a catalogue, private traces, or traces beside other sources',
  application_content_digest_mismatch: 'it is not the one that is pinned',
  write_forbidden: 'it may write and `allow_write` is not true',
  catalog_too_large: 'the list of tools is larger than 4,194,304 bytes',
  audit_unavailable: 'the directory of the audit is not yours alone, holds something else, is another gateway\'s, or cannot be written',
  run_admission_unavailable: 'no place for runs can be made',
  installation_pin_mismatch: 'the installations that it selects are not exactly those that are pinned',
  provider_pin_mismatch: 'a provider was found to be something else than what is pinned',
  provider_pin_unavailable: 'a provider has nothing that could be pinned',
  provider_admission_unavailable: 'no place for calls of models can be made',
  provider_runtime_unavailable: 'a provider cannot be opened',
  listener_unavailable: 'the address cannot be had',
  internal_error: 'a fault of the program',
};

/** Names of the trees and what they show; commands are those of their own READMEs. */
const EXAMPLES: Readonly<Record<ExampleName, { readonly what: string; readonly commands: readonly string[] }>> = {
  'kernel-tutorial': {
    what: 'Seven steps from a plain workflow to agents that work beside each other; each folder is an application by itself, so that two of them can be compared.',
    commands: ['svc run 01-orders.svc-project.json', 'svc run 02-deepseek-extract.svc-project.json --host-config 02-deepseek-extract/svc-host.replay.json', 'svc run 03-file-agent.svc-project.json --host-config 03-file-agent/svc-host.replay.json', 'svc run 04-multi-turn-agent.svc-project.json --host-config 04-multi-turn-agent/svc-host.replay.json', 'svc run 05-signature-feedback.svc-project.json', 'OPENROUTER_API_KEY=any svc run 06-cost-budget.svc-project.json', 'svc run 07-parallel-fan-out.svc-project.json --host-config 07-parallel-fan-out/svc-host.replay.json'],
  },
  'support-triage': {
    what: 'Six support tickets, an agent, and what it may touch: one question, an API of the domain, specialists, and a program that tries to leave its mission.',
    commands: ['svc run 01-one-question.svc-project.json --host-config 01-one-question/svc-host.replay.json', 'svc run 02-domain-api.svc-project.json --host-config 02-domain-api/svc-host.replay.json', 'svc run 03-specialists.svc-project.json --host-config 03-specialists/svc-host.replay.json', 'svc run mission-boundary-check.svc-project.json'],
  },
  'adaptive-web-parser': {
    what: 'A parser whose selectors an agent repairs when a site was rebuilt: what it proposes is checked on a page that it never saw, and the next run asks no model.',
    commands: ['node run.mjs'],
  },
  'debug-a-failed-run': {
    what: 'An order comes out wrong in a private run; a program, and then agents, find the reason in what the run left for its owner, and a workflow improves itself in five stages.',
    commands: ['svc run target.svc-project.json', 'svc run debugger.svc-project.json', 'svc run debugger-agent.svc-project.json --host-config debugger-agent/svc-host.replay.json', 'svc run repair-agent.svc-project.json --host-config repair-agent/svc-host.replay.json', 'sh run-self-improvement.sh'],
  },
  'decision-refund-triage': { what: 'Six yes-or-no questions about six tickets in one request to a model that decides and answers nothing else.', commands: ['svc validate svc-project.json', 'svc run svc-project.json'] },
  'llm-replay': { what: 'A workflow that asks a model whose answers are frozen, and what happens when a request changes.', commands: ['svc validate svc-project.json', 'svc run svc-project.json'] },
  'named-mission-reader-writer': { what: 'Two missions with different hands: one may read files and write nothing, the other the reverse; a workflow between them.', commands: ['svc run svc-project.json --host-config reader-state/offline/svc-host.replay.json'] },
};

/** svc.json. */
export function manifestPage(): string {
  return page(
    '# svc.json reference',
    'The manifest names one application: a workflow, the missions that it may use, its input, its contracts, the providers that it selects by name, and the limits that it asks for. It names no credential, no endpoint, no command and no destination: those belong to the host file and to the command line. `svc validate svc.json` checks all of it and compiles the programs, without reaching anybody.',
    '## Fields', FIELD_NOTATION, fieldTable(MANIFEST),
    '## Names and paths',
    'Names of missions, components and providers begin with a lower-case letter and hold letters, digits, `.`, `_` and `-`. A path is relative to the directory of the manifest, uses `/`, and stays below it: no `..`, no absolute path, no link out of it. Files are read as they are, each once.',
    '## Components',
    'An item is either `{"library": NAME}`, a library that comes with the program, or `{"id": NAME, "path": FILE, "dependencies": [...]}`, a file of yours. Dependencies are sorted and name components of the same environment; libraries bring theirs along. A component may call the namespaces of the components that it depends on, and nothing else. Workflow and each mission are apart: what one may call the other does not have unless it lists it as well. At most 128 components after expansion, 2,000,000 bytes of source over all, no cycle. More: [Components and libraries](components-and-preludes.md).',
    '## Workflow and missions',
    '`workflow.entry` is `NAMESPACE/FUNCTION`; the run calls it with the input, and what it returns is the result. A mission has components, `data` that its programs read as `data/KEY`, and `providers`: names out of `providers.mission`. Nothing else is there for a program in it.',
    '## Input and contracts',
    '`input` is `{"value": {...}}` or `{"path": FILE}`, always a JSON object; `--input FILE` and `--private-input FILE` take its place. A contract is a file with a closed profile of JSON Schema: `type` in every node, an object at the root (or a union of objects by one constant property), `properties`, `required`, `additionalProperties` (false unless it is said), `items`, `enum`, `const`, bounds of numbers, lengths and counts, `format: sha256`. No references, patterns or combinations. At most 16 levels and 65,536 bytes. The input is held to its contract before anything begins, the result before anything is told.',
    '## Providers',
    'A selection is `{"name": ALIAS}` of an installation of the host file, with a `config` that can only narrow what the host allows. A name stands once in each list.',
    table(['Source', 'In', '`config`'], [
      ['`llm`', 'workflow', '`default`, `max_request_bytes`, `max_response_bytes`, `max_calls`'],
      ['`llm_replay`', 'workflow', '`default`, `max_result_bytes`, `max_calls`'],
      ['`decision`, `decision_replay`', 'workflow', 'none'],
      ['`mcp`', 'mission', '`allow` (wanted as soon as an installed tool writes), `model_visible`, `timeout_ms`, `max_result_bytes`'],
      ['`mcp`', 'workflow', '`catalog: true` and nothing else: what the server offers, to be read'],
      ['`svc_trace_snapshot`, `svc_private_trace_snapshot`', 'mission', '`max_source_bytes`, `max_result_bytes`, `expose`'],
      ['`svc_inspection_snapshot`', 'mission', '`max_files`, `max_source_bytes`, `max_result_bytes`; wants exactly one trace beside it'],
    ]),
    'Where several models are selected, a request names one, or one selection is `default`.',
    '## Events and labels',
    '`events.policy` `private` makes a run private: its value goes to its owner alone. Labels are seen in traces and change nothing.',
    '## Limits',
    'Every name of [Limits](limits.md) that an application may set. What it asks for beyond the host\'s ceiling is refused before anything runs.',
    '## Identity',
    '`svc validate` tells two digests: the content digest of manifest and files without the input, and the effective digest of everything that decides what a run does. Paths, labels, model selectors and credentials are in neither but the manifest\'s own text. The JSON Schema of the document is `svc docs schema-manifest`; name it in `$schema` as `svc init` does, and an editor explains each member.',
  );
}

/** svc-project.json. */
export function projectPage(): string {
  return page(
    '# svc-project.json reference',
    'A project file says once what you would otherwise say with options: which application, which host file, which environment file, which artifacts. It is known by its member `kind`, not by its name, and is never searched for: every command is told its path.',
    '## Fields', FIELD_NOTATION, fieldTable(PROJECT),
    '## Paths',
    'Relative to the directory of the project file, below it, in letters, digits, `.`, `_` and `-`. Loading the project opens none of them.',
    '## What a run leaves',
    'Below `artifacts.root`, each directory of its owner alone (0700), each file appearing whole or not at all:',
    table(['Member', 'File'], [
      ['`trace`', '`traces/RUN_REF.jsonl`, of a private run `traces/RUN_REF.private.jsonl`'],
      ['`inspection`', '`inspection/RUN_REF.svcins`; wants `trace`'],
      ['`result`', '`results/RUN_REF.json`, of a private run `results/RUN_REF.private.json`'],
      ['`envelope`', '`envelopes/RUN_REF.json`, also of runs that failed'],
    ]),
    'A link named `keep/RUN_REF...` keeps a run from `svc prune`. Directories that others may use are refused.',
    '## Which wins',
    'An option of the command line, then the project, then nothing: `--host-config`, `--env-file`, `--trace-dir`, `--inspect`, `--output` and `--private-output` each take the place of one member. `--envelope` adds a copy. The environment file is read only by commands that acquire something, and only when a selected provider takes a credential from a variable; a name that it assigns wins over the process.',
    '## The viewer',
    '`viewer.port` 0 lets the system choose; `open` opens a browser; `repl` and `private` allow the session page and private records. Where it listens is an option of the command alone.',
    'The JSON Schema of the document is `svc docs schema-project`.',
  );
}

/** svc-host.json. */
export function hostPage(): string {
  return page(
    '# svc-host.json reference',
    'The host file belongs to whoever runs applications: it installs models, servers of tools and evidence under names, says where credentials come from, and sets the ceilings that no application passes. Applications select by name and can only narrow. Loading it reads no credential, starts nothing and contacts nobody.',
    '## Fields', FIELD_NOTATION, fieldTable(HOST),
    '## What all installations have',
    '`source` decides the rest. `installation_revision` is yours: raise it when what stands behind the name behaves differently. `data_class` and `accepts_data` decide which runs may send it data: a run is `private_inspection` when its input is private or something private is selected, and then every selection has to accept that.',
    '## Credentials',
    'A credential is `{"env": NAME}`, `{"file": PATH}` (below the directory of the host file, at most 65,536 bytes, surrounding blanks dropped) or `{"literal": TEXT}`. It is read when a run acquires what needs it; a missing or empty one is `credential_unavailable`, and nothing else is tried in its place.',
    '## Models',
    '`model` is `PROVIDER:MODEL`; `svc models --host-config FILE` tells which of them the bundled catalogue knows, with prices. `structured_output_mode` says how the model is made to answer in a schema. `usage_guarantees` says what it tells of tokens and cost: the limits on tokens and cost can only be set where every live model does. `params` are sent as they stand and cannot be changed by a request. An `llm_replay` answers from `fixtures`, found by the hash of the request; see [Evaluate with replay](evaluating-with-replay.md).',
    '## Servers of tools',
    '`transport` is `stdio` (a command; a bare name is looked for on PATH, a name with a slash from the host file) or `streamable_http`. `tools` names each tool that may be used, under a name of yours, with its effect; a tool that is not named does not exist. More: [MCP reference](mcp.md).',
    table(['An `http` endpoint', 'Refused as'], [
      ['with credentials and without TLS', '`installation_endpoint_credentials_require_https`'],
      ['that is no plain URL: user, fragment, blanks, odd port', '`installation_endpoint_invalid`'],
      ['without TLS, and `allow_insecure_loopback` not true', '`installation_endpoint_insecure_loopback_required`'],
      ['with that, and a host other than `127.0.0.1` or `[::1]`', '`installation_endpoint_literal_loopback_required`'],
      ['with TLS and that', '`installation_endpoint_insecure_loopback_forbidden`'],
    ]),
    '## Evidence',
    'Trace and inspection snapshots are directories below which earlier runs left artifacts; each run captures them when it begins, and its programs can only read.',
    '## Ceilings and limits',
    '`ceilings` of an installation bound its calls; `limits` bound applications and have the names of [Limits](limits.md), also those that only a host sets. Limits that are off by default are on as soon as the host names them.',
    'The JSON Schema of the document is `svc docs schema-host`. `svc doctor PROJECT --connect` tries every installation that an application selects.',
  );
}

/** The configuration of `svc gateway`. */
export function gatewayPage(): string {
  return page(
    '# Gateway reference',
    '`svc gateway CONFIG.json` serves applications as tools over MCP on loopback, at `/mcp`. Each call is one run of the application in fresh isolates. [Serve a workflow over MCP](serving-a-workflow-over-mcp.md) shows it step by step.',
    '## Fields', FIELD_NOTATION, fieldTable(GATEWAY),
    'Paths start from the directory of the document; absolute ones and `..` are allowed. The bearer is a credential of the host file, of a variable or a file, 32 to 4,096 characters. `private_audit` stands there exactly if a tool has `allow_write`.',
    '## Pins',
    'Three things are held when the gateway starts, and anything else is refused: the content digest of the application, the configuration digest of each installation that it selects, and what each of its providers was found to be, by `destination/alias`. `--print-pins` prints them all; put them into the document when you have looked at what they stand for. Applications that select traces alone capture them at each call and have no pin of them.',
    '## Commands',
    table(['Command', 'What it does'], [
      ['`svc gateway CONFIG.json`', 'serves; one line of JSON on stdout when it is ready'],
      ['`--check`', 'checks the document and every tool, tells each fault, opens nothing'],
      ['`--print-pins`', 'prints the pins of every tool, or none'],
      ['`--env-file FILE`', 'variables for credentials, read once and given to no child'],
      ['`--legacy on` or `off`', 'whether clients of the revisions 2025-03-26 to 2025-11-25 are served, without a session; `on` by default'],
      ['`--exit-on-fence`', 'ends with status 70 instead of serving without what was fenced'],
    ]),
    '## Start codes',
    'A start that is refused prints `{"error":"CODE"}` on stderr, ends with status 78 and leaves nothing behind. In the order in which they are looked for:',
    table(['Code', 'Meaning'], Object.entries(START_CODES).map(([name, meaning]) => [code(name), meaning])),
    '## Requests',
    'POST to `/mcp` with `Authorization: Bearer ...`, `Content-Type: application/json`, `Accept: application/json, text/event-stream`, and in revision 2026-07-28 `MCP-Protocol-Version`, `Mcp-Method` and for calls `Mcp-Name`, which say what the body says. Host must be the literal address and port; an Origin must be listed. Request line 8,192 bytes, 64 header fields, 32,768 bytes of them, a body of 2,097,152 bytes that stalls for no more than two seconds and takes fifteen at most.',
    table(['Status', 'When'], [
      ['400', 'the authority, the JSON, the request, its headers or its version are wrong'], ['401', 'no bearer, or another one'], ['403', 'an origin that is not listed'], ['404', 'another path; as RPC -32601 a method that there is not'],
      ['405, 406, 408, 413, 415', 'method, `Accept`, a body that came too slowly, one that is too large, its type'],
      ['429, RPC -31999', 'no place for a request or a run; nothing waits, `Retry-After: 1`'],
      ['503, RPC -31998', 'reason `draining`, `tool_unavailable`, `artifact_unavailable` or `writes_fenced`'],
      ['200, `isError: true`', 'the arguments break the contract, or the run failed: code and message as on the command line'],
    ]),
    '`tools/call` answers with a stream: comments while nothing happens, `notifications/progress` where the request has a `progressToken`, then the result. Closing it cancels the run. `_meta["svc/timeout_ms"]` narrows the time of one call. `_meta["svc/call"]` of an answer names the run and says what it may have done (`effects`: `none`, `read`, `write_possible`, `indeterminate`), whether it may be made again (`retry`: `safe`, `after_fix`, `no`, `unsafe`) and what it used. `GET /health/live` and `GET /health/ready` need no bearer.',
    '## Audit',
    'The directory of the audit must exist and be yours alone (0700). Files are `00000000000000000001.jsonl` and so on, 0600, never cut; the oldest go when there are more than `max_retained_files`. Each call of a tool that may write has an `intent`, on the disk before its run begins, and an `outcome`, on the disk before the client is told, with `call_id`, `run_ref`, `tool_name`, `application_content_digest`, `started_at`, `ended_at`, `outcome_code`, `dispatch_state`, `write_effects_may_have_occurred`, `disconnected`, `cleanup_status` and `principal`. Nothing of what was said is there. What cannot be written stops all writing until the next start.',
    'The JSON Schema of the document is `svc docs schema-gateway`.',
  );
}

function examples(): readonly (readonly [ExampleName, (typeof EXAMPLES)[ExampleName]])[] {
  return EXAMPLE_NAMES.map((name) => [name, EXAMPLES[name]]);
}

/** The trees of `svc init --example`. */
export function examplesPage(): string {
  return page(
    '# Examples',
    '`svc init DIRECTORY --example NAME` lays out one of these trees, whole: programs, documents, recorded answers, a README that says what to try. All of them run without a network and without a key.',
    ...examples().map(([name, { what, commands }]) => page(`## ${name}`, what, `Files: ${EXAMPLE_LISTS[name].map(code).join(', ')}.`, ['```sh', ...commands, '```'].join('\n'))),
    'With a key of your own, leave out `--host-config` and put the key into `.env` where the tree has one.',
  );
}
