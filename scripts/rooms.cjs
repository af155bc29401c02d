/**
 * The rooms of the product: what each does, what it may import, where its tests are. dependency-cruiser holds the code
 * to it (.dependency-cruiser.cjs), and docs/maintaining.md shows it. From the ground up: a room imports only from rooms
 * above it in this list, and every room may import `contract` and itself.
 */
const BESIDE = 'beside the code';
const SUITES = (part, ...names) => `${BESIDE}; ${names.map((name) => `\`${part}/test/${name}\``).join(', ')}`;

/** @type {readonly { room: string, does: string, imports: readonly string[], tests: string }[]} */
module.exports = [
  {
    room: 'contract',
    does: 'words that all parts share: documents, diagnostics, envelopes, limits, JSON, messages between processes',
    imports: [],
    tests: BESIDE,
  },

  {
    room: 'system',
    does: 'starts child processes with nothing of ours, and waits without keeping what was waited for',
    imports: [],
    tests: BESIDE,
  },

  {
    room: 'sandbox/runtime',
    does: 'values and functions of svc-lisp',
    imports: ['sandbox/language', 'sandbox/guest'],
    tests: SUITES('sandbox', 'language'),
  },
  {
    room: 'sandbox/language',
    does: 'reader, analyser, compiler',
    imports: ['sandbox/runtime', 'sandbox/guest'],
    tests: SUITES('sandbox', 'language', 'clojure-suite'),
  },
  {
    room: 'sandbox/guest',
    does: 'what runs inside an isolate, and how it is locked down',
    imports: ['sandbox/runtime', 'sandbox/language'],
    tests: SUITES('sandbox', 'attacks'),
  },
  { room: 'sandbox/wire', does: 'messages between the supervisor and a sandbox host', imports: [], tests: BESIDE },
  {
    room: 'sandbox/host',
    does: 'the child process that holds isolates',
    imports: ['sandbox/wire'],
    tests: SUITES('sandbox', 'attacks'),
  },
  {
    room: 'sandbox/pool',
    does: 'starts, shares, confines and ends hosts',
    imports: ['system', 'sandbox/wire'],
    tests: SUITES('sandbox', 'attacks', 'missions'),
  },

  {
    room: 'adapters',
    does: 'providers: models, MCP servers, replay, decisions; their threads; the file server',
    imports: ['system'],
    tests: SUITES('adapters', 'tools'),
  },

  {
    room: 'supervisor/platform',
    does: 'this machine: configuration, clock, folders of the program, listeners, arguments of embedding calls',
    imports: ['adapters/pool', 'sandbox/pool'],
    tests: BESIDE,
  },
  {
    room: 'supervisor/documents',
    does: 'reading, checking and identifying documents; contracts',
    imports: [],
    tests: SUITES('supervisor', 'documents', 'identity'),
  },
  {
    room: 'supervisor/evidence',
    does: 'what a run leaves: recorder, trace, inspection, live view',
    imports: ['supervisor/platform'],
    tests: BESIDE,
  },
  {
    room: 'supervisor/publication',
    does: 'files that appear whole or not at all; the journal of runs',
    imports: ['supervisor/platform'],
    tests: SUITES('supervisor', 'crashes'),
  },
  {
    room: 'supervisor/calls',
    does: 'a call of a program: broker, ledger, kernel, evaluation',
    imports: [
      'system',
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'sandbox/pool',
      'adapters/pool',
    ],
    tests: SUITES('supervisor', 'capabilities', 'agent'),
  },
  {
    room: 'supervisor/history',
    does: 'what earlier runs left: analysis, transcript, explain, prune, telemetry',
    imports: ['supervisor/platform', 'supervisor/documents', 'supervisor/evidence', 'supervisor/publication'],
    tests: SUITES('supervisor', 'analysis', 'telemetry'),
  },
  {
    room: 'supervisor/providers',
    does: 'the table of provider sources, admission, custom functions, schemas of tools',
    imports: [
      'system',
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/calls',
      'supervisor/history',
      'adapters/pool',
    ],
    tests: SUITES('supervisor', 'capabilities'),
  },
  {
    room: 'supervisor/application',
    does: 'preflight, and what is prepared once for many runs',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/publication',
      'supervisor/providers',
      'sandbox/pool',
    ],
    tests: BESIDE,
  },
  {
    room: 'supervisor/run',
    does: 'one run: open, evaluate, close, seal, publish',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/calls',
      'supervisor/providers',
      'supervisor/application',
      'sandbox/pool',
    ],
    tests: SUITES('supervisor', 'envelopes', 'crashes'),
  },
  {
    room: 'supervisor/session',
    does: 'forms of the REPL and of analysis profiles',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/calls',
      'supervisor/history',
      'supervisor/providers',
      'supervisor/application',
      'supervisor/run',
      'sandbox/pool',
    ],
    tests: BESIDE,
  },
  {
    room: 'supervisor/authoring',
    does: 'help for authors: doctor, init, materialize, fixtures',
    imports: [
      'system',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/providers',
      'supervisor/application',
      'supervisor/run',
      'sandbox/pool',
      'adapters/pool',
    ],
    tests: SUITES('supervisor', 'examples'),
  },
  {
    room: 'supervisor/service',
    does: 'many runs: tenants, stores, the engine, the supervisor object',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/history',
      'supervisor/providers',
      'supervisor/application',
      'supervisor/run',
      'sandbox/pool',
      'adapters/pool',
    ],
    tests: SUITES('supervisor', 'supervisor', 'engine'),
  },
  {
    room: 'supervisor/gateway',
    does: 'workflows as MCP tools over HTTP',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/providers',
      'supervisor/service',
      'sandbox/pool',
      'adapters/pool',
    ],
    tests: SUITES('supervisor', 'gateway'),
  },
  {
    room: 'supervisor/viewer',
    does: 'the server behind the viewer page',
    imports: ['supervisor/documents', 'supervisor/history', 'supervisor/session'],
    tests: SUITES('supervisor', 'viewer'),
  },
  {
    room: 'supervisor/api',
    does: 'a file for each command, and the doors of the package',
    imports: [
      'supervisor/platform',
      'supervisor/documents',
      'supervisor/evidence',
      'supervisor/publication',
      'supervisor/history',
      'supervisor/providers',
      'supervisor/application',
      'supervisor/run',
      'supervisor/session',
      'supervisor/authoring',
      'supervisor/service',
      'supervisor/gateway',
      'supervisor/viewer',
      'sandbox/pool',
      'adapters/pool',
    ],
    tests: 'the suites of what they open',
  },

  {
    room: 'cli',
    does: 'the declaration of commands, a file for each, rendering',
    imports: ['system', 'supervisor/api', 'supervisor/platform'],
    tests: SUITES('cli', 'launcher', 'pages'),
  },
  { room: 'viewer', does: 'the page of the viewer, in the browser', imports: [], tests: '`supervisor/test/viewer`' },
];
