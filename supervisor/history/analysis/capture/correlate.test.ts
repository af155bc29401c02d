import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { isJsonObject } from '../../../../contract/json/value.ts';
import { bundleHash } from '../../../documents/identity/bundle.ts';
import { digestOf } from '../../../evidence/fingerprint.ts';
import { correlates } from './correlate.ts';
import { APPROVALS_VERSION, INSPECTION_VERSION } from '../../../evidence/inspection/container.ts';
import { recordEntry, type RecordPlace } from './record-entry.ts';
import { capturedRun } from './run.ts';

type Plain = Readonly<Record<string, unknown>>;
type Event = readonly [string, Plain];
type Evidence = readonly [string, Plain, Plain];

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const SOURCE = '(ns main)';
const PROGRAM = '(return 1)';
const of = (source: string): Plain => ({ source, source_hash: hex(source), source_bytes: source.length });
const BUNDLE = bundleHash([{ id: 'main', sourceHash: hex(SOURCE), dependencies: [] }]);
const PRELUDE = { component_ids: ['main'], dependency_indices: [[]], hash: BUNDLE };
const NONE = { component_ids: [], dependency_indices: [], hash: null };
const MISSION = { environment: 'mission', mission_name: 'room' };
const WORKFLOW = { environment: 'workflow' };

const STARTED: Event = [
  'run-started',
  { labels: {}, workflow_prelude: PRELUDE, missions: { room: { prelude: NONE } }, connector_snapshots: [] },
];
const EVALUATION: Event = ['evaluation-started', { evaluation_id: 'w1', ...WORKFLOW }];
const CALL: Event = ['capability-started', { capability_id: 'c1', name: 'find', ...MISSION }];
const PROGRAM_STARTED: Event = [
  'evaluation-started',
  {
    evaluation_id: 'm1',
    ...MISSION,
    parent_evaluation_id: 'w1',
    program_kind: 'svc-lisp',
    source_hash: hex(PROGRAM),
    source_bytes: PROGRAM.length,
  },
];
const stopped = (dropped: Plain = {}): Event => [
  'run-stopped',
  { outcome: 'ok', reason: null, usage: { events_dropped: dropped }, result_hash: digestOf('7') },
];
const TRACE: readonly Event[] = [STARTED, EVALUATION, CALL, PROGRAM_STARTED, stopped()];

const COMPONENT: Evidence = ['prelude-source', { component_id: 'main' }, { ...WORKFLOW, ...of(SOURCE) }];
const INPUT: Evidence = ['capability-input', { capability_id: 'c1' }, { ...MISSION, name: 'find', arguments: {} }];
const THROWN: Evidence = ['capability-exception', { capability_id: 'c1' }, { ...MISSION, name: 'find', message: 'm' }];
const output = (result: Plain): Evidence => [
  'capability-output',
  { capability_id: 'c1' },
  { ...MISSION, name: 'find', result },
];
const OUTPUT = output({ status: 'ok', value: 1 });
const REPORTED = output({ status: 'error', kind: 'provider_error', reason: 'exception' });
const PROGRAM_SOURCE: Evidence = [
  'evaluation-source',
  { evaluation_id: 'm1' },
  { ...MISSION, program_kind: 'svc-lisp', ...of(PROGRAM) },
];
const ANALYSIS: Evidence = ['evaluation-analysis', { evaluation_id: 'm1' }, { ...MISSION, prelude_calls: [] }];
const PRINTS: Evidence = ['execution-prints', { evaluation_id: 'w1' }, { ...WORKFLOW, prints: [], truncated: false }];
const REQUEST: Evidence = [
  'mcp-request',
  { capability_id: 'c1', request_id: 1 },
  { mission_name: 'room', transport: 'stdio', body: {} },
];
const RESPONSE: Evidence = [
  'mcp-response',
  { capability_id: 'c1', request_id: 1 },
  { mission_name: 'room', transport: 'stdio', body: {} },
];
const RESULT: Evidence = ['run-result', {}, { result_hash: digestOf('7'), value: 7 }];

function object(plain: Plain) {
  const json = jsonFromPlain(plain);
  if (!isJsonObject(json)) throw new TypeError('it is an object');
  return json;
}

const ASKED: Evidence = ['approval-request', { approval_id: 'a1' }, { ...MISSION, tool: 'close' }];
const ALLOWED: Evidence = ['approval-decision', { approval_id: 'a1' }, { ...MISSION, decision: 'allowed', by: 'cli' }];
const ASKED_IN_TRACE: Event = ['approval-requested', { ...MISSION, approval_id: 'a1', name: 'close' }];

/** The trace of a run whose call a person was asked about. */
function approvalTrace(): readonly Event[] {
  return TRACE.flatMap(([type, data]): readonly Event[] =>
    type === 'capability-started' ? [ASKED_IN_TRACE, [type, { ...data, approval_id: 'a1' }]] : [[type, data]],
  );
}

async function holds(evidence: readonly Evidence[], trace: readonly Event[] = TRACE): Promise<boolean> {
  const run = capturedRun(
    trace.map(([type, data], index) => ({
      runId: 'r',
      traceId: 't',
      sequence: index + 1,
      timestamp: '2030-01-02T03:04:05.000006Z',
      type,
      data: object(data),
    })),
    'sanitized',
  );
  const version = evidence.some(([type]) => type.startsWith('approval-')) ? APPROVALS_VERSION : INSPECTION_VERSION;
  const recorded = evidence.map(async ([type, correlation, payload], index) => {
    const record = object({
      schema_version: version,
      run_id: 'r',
      trace_id: 't',
      sequence: index + 1,
      timestamp: '2030-01-02T03:04:05.000006Z',
      record_type: type,
      correlation,
      payload,
    });
    const place: RecordPlace = { version, runId: 'r', traceId: 't', sequence: index + 1, offset: 0 };
    const entry = await recordEntry(record, new Uint8Array(), place);
    if (entry === null) throw new Error('it is a record');
    return entry;
  });
  return correlates({ entries: await Promise.all(recorded) }, run);
}

const withPayload = ([type, correlation, payload]: Evidence, more: Plain): Evidence => [
  type,
  correlation,
  { ...payload, ...more },
];
const DROPPED: Event = ['events-dropped', { counts: { 'capability-started': 1 } }];
const WITHOUT_CALL = [STARTED, EVALUATION, PROGRAM_STARTED];

describe('whether private evidence is that of a trace (evidence.md §6, "Checks against the trace")', () => {
  const accepted: readonly (readonly [string, readonly Evidence[], (readonly Event[])?])[] = [
    ['a whole run', [COMPONENT, PRINTS, INPUT, REQUEST, RESPONSE, OUTPUT, PROGRAM_SOURCE, ANALYSIS, RESULT]],
    ['a call that was interrupted', [COMPONENT, INPUT]],
    ['a call that threw', [COMPONENT, INPUT, THROWN, REPORTED]],
    [
      'a start that the trace says it lost',
      [COMPONENT, INPUT, OUTPUT],
      [...WITHOUT_CALL, DROPPED, stopped({ 'capability-started': 1 })],
    ],
  ];
  const requested = approvalTrace();
  const unasked = requested.filter(([type]) => type !== 'approval-requested');
  const losing = (counts: Plain): readonly Event[] => [
    ...unasked.filter(([type]) => type !== 'run-stopped'),
    ['events-dropped', { counts }],
    stopped(counts),
  ];
  const approvals: readonly (readonly [string, boolean, readonly Evidence[], readonly Event[]])[] = [
    ['a call that was allowed', true, [COMPONENT, ASKED, ALLOWED, INPUT, OUTPUT], requested],
    ['a question that nobody answered', true, [COMPONENT, ASKED], [...WITHOUT_CALL, ASKED_IN_TRACE, stopped()]],
    [
      'a call that was denied',
      true,
      [COMPONENT, ASKED, withPayload(ALLOWED, { decision: 'denied' })],
      [...WITHOUT_CALL, ASKED_IN_TRACE, stopped()],
    ],
    ['a question that the trace says it lost', true, [COMPONENT, ASKED, ALLOWED], losing({ 'approval-requested': 1 })],
    ['a question that is not in the trace', false, [COMPONENT, ASKED, ALLOWED], unasked],
    ['a decision without its question', false, [COMPONENT, ALLOWED, INPUT, OUTPUT], requested],
    ['a decision before its question', false, [COMPONENT, ALLOWED, ASKED, INPUT, OUTPUT], requested],
    ['two decisions', false, [COMPONENT, ASKED, ALLOWED, ALLOWED], requested],
    ['two questions', false, [COMPONENT, ASKED, ASKED, ALLOWED], requested],
    [
      'a question of another mission',
      false,
      [COMPONENT, withPayload(ASKED, { mission_name: 'other' }), ALLOWED],
      requested,
    ],
    [
      'a decision of another mission',
      false,
      [COMPONENT, ASKED, withPayload(ALLOWED, { mission_name: 'x' })],
      requested,
    ],
    [
      'a call that was made though denied',
      false,
      [COMPONENT, ASKED, withPayload(ALLOWED, { decision: 'denied' })],
      requested,
    ],
    ['a call that was made undecided', false, [COMPONENT, ASKED, INPUT, OUTPUT], requested],
    ['a call of a question that is not on record', false, [COMPONENT, INPUT, OUTPUT], requested],
  ];
  for (const [what, isAccepted, evidence, trace] of approvals)
    it(`${isAccepted ? 'accepts' : 'refuses'} ${what} (approvals.md §10)`, async () =>
      expect(await holds(evidence, trace)).to.equal(isAccepted));

  for (const [what, evidence, trace] of accepted)
    it(`accepts ${what}`, async () => expect(await holds(evidence, trace)).to.equal(true));

  const refused: readonly (readonly [string, readonly Evidence[], (readonly Event[])?])[] = [
    ['1: two inputs', [COMPONENT, INPUT, INPUT]],
    ['1: an output without an input', [COMPONENT, OUTPUT]],
    ['1: an output before its exception', [COMPONENT, INPUT, REPORTED, THROWN]],
    ['1: an output of another name', [COMPONENT, INPUT, withPayload(OUTPUT, { name: 'other' })]],
    ['1: a success after an exception', [COMPONENT, INPUT, THROWN, OUTPUT]],
    ['2: two sources', [COMPONENT, PROGRAM_SOURCE, PROGRAM_SOURCE]],
    ['2: an analysis without its source', [COMPONENT, ANALYSIS]],
    ['2: an analysis before its source', [COMPONENT, ANALYSIS, PROGRAM_SOURCE]],
    ['2: two prints', [COMPONENT, PRINTS, PRINTS]],
    ['3: a call that the trace names otherwise', [COMPONENT, withPayload(INPUT, { name: 'other' })]],
    ['3: a call of another owner', [COMPONENT, withPayload(INPUT, { mission_name: 'other' })]],
    ['3: another program', [COMPONENT, withPayload(PROGRAM_SOURCE, of('(return 2)'))]],
    ['3: a program that is not what it says it is', [COMPONENT, withPayload(PROGRAM_SOURCE, { source: '(return 2)' })]],
    ['3: prints of a mission', [COMPONENT, ['execution-prints', { evaluation_id: 'm1' }, { ...MISSION, prints: [] }]]],
    ['4: a call that is not in the trace', [COMPONENT, INPUT], [...WITHOUT_CALL, stopped()]],
    [
      '4: a call in a trace that lost others',
      [COMPONENT, INPUT],
      [
        ...WITHOUT_CALL,
        ['events-dropped', { counts: { 'evaluation-started': 1 } }],
        stopped({ 'evaluation-started': 1 }),
      ],
    ],
    [
      '4: losses that are told in two ways',
      [COMPONENT, INPUT],
      [...WITHOUT_CALL, DROPPED, stopped({ 'capability-started': 2 })],
    ],
    ['4: a run that is open', [COMPONENT, INPUT], [...WITHOUT_CALL, DROPPED]],
    ['5: no source of a component', []],
    ['5: a component twice', [COMPONENT, COMPONENT]],
    [
      '5: a component too many',
      [COMPONENT, ['prelude-source', { component_id: 'more' }, { ...WORKFLOW, ...of(SOURCE) }]],
    ],
    ['5: another source', [withPayload(COMPONENT, of('(ns other)'))]],
    [
      '5: a component of a mission that is not there',
      [
        COMPONENT,
        ['prelude-source', { component_id: 'main' }, { environment: 'mission', mission_name: 'other', ...of(SOURCE) }],
      ],
    ],
    [
      '5: a call into no component',
      [COMPONENT, PROGRAM_SOURCE, withPayload(ANALYSIS, { prelude_calls: [{ ref: 'a/b', component_id: 'a' }] })],
    ],
    ['6: another result', [COMPONENT, withPayload(RESULT, { value: 8 })]],
    [
      '6: a result that hashes to what it says, of another run',
      [COMPONENT, withPayload(RESULT, { value: 8, result_hash: digestOf('8') })],
    ],
    ['6: two results', [COMPONENT, RESULT, RESULT]],
    ['6: a result of a run that is open', [COMPONENT, RESULT], [STARTED]],
    ['7: a request without its response', [COMPONENT, INPUT, REQUEST]],
    ['7: a response without its request', [COMPONENT, INPUT, RESPONSE]],
    ['a record of no known type', [COMPONENT, ['surprise', { capability_id: 'c1' }, MISSION]]],
  ];
  for (const [what, evidence, trace] of refused)
    it(`refuses ${what}`, async () => expect(await holds(evidence, trace)).to.equal(false));
});
