import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { spansOf, traceIdOf, type RunSpan, type TimedEvent } from './spans.ts';

function timedEvents(...events: readonly (readonly [type: string, data: object])[]): readonly TimedEvent[] {
  return events.map(([type, facts], index) => {
    const data = jsonFromPlain(facts);
    if (data === undefined || !isJsonObject(data)) throw new TypeError('an object');
    return { event: { type, data }, at: 1000 + index };
  });
}

const STARTED = [
  'run-started',
  { labels: { tags: { team: 'a' } }, workflow_prelude: { hash: 'aa' }, missions: {} },
] as const;
const WORKFLOW = ['evaluation-started', { evaluation_id: 'workflow-evaluation-1', environment: 'workflow' }] as const;
const named = (spans: readonly RunSpan[], name: string): RunSpan => {
  const span = spans.find((one) => one.name === name);
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
};

describe('spans of a run (evidence.md §13)', () => {
  it('have one for each question to a person, beside the call, with what was decided', () => {
    const requested = { approval_id: 'apr-1', environment: 'workflow', name: 'tickets.close', effect: 'write' };
    const spans = spansOf(
      'cmd-x',
      timedEvents(
        STARTED,
        WORKFLOW,
        ['approval-requested', { ...requested, owner_evaluation_id: 'workflow-evaluation-1', argument_bytes: 9 }],
        ['approval-decided', { approval_id: 'apr-1', decision: 'denied', by: 'cli', scope: 'once', waited_ms: 1 }],
        ['approval-requested', { ...requested, approval_id: 'apr-2' }],
      ),
    );
    const [first, second] = spans.filter(({ name }) => name === 'svc.approval tickets.close');
    expect(first).to.deep.include({
      parent: named(spans, 'svc.evaluation').id,
      start: 1002,
      end: 1003,
      isError: false,
      attributes: {
        'svc.approval.id': 'apr-1',
        'svc.approval.tool': 'tickets.close',
        'svc.approval.effect': 'write',
        'svc.approval.decision': 'denied',
        'svc.approval.by': 'cli',
        'svc.approval.scope': 'once',
      },
    });
    expect(second?.attributes).to.include({ 'svc.approval.id': 'apr-2', 'svc.incomplete': true });
  });

  it('stand below each other as the run called', () => {
    const spans = spansOf(
      'cmd-x',
      timedEvents(
        STARTED,
        WORKFLOW,
        ['capability-started', { capability_id: 'capability-1', environment: 'workflow', name: 'kernel-eval' }],
        [
          'evaluation-started',
          {
            evaluation_id: 'mission-evaluation-1',
            environment: 'mission',
            mission_name: 'm',
            source_hash: 'bb',
            source_bytes: 7,
          },
        ],
        [
          'capability-started',
          {
            capability_id: 'capability-2',
            environment: 'mission',
            mission_name: 'm',
            name: 'llm-request',
            alias: 'small',
            installation_revision: 'r2',
          },
        ],
        [
          'capability-stopped',
          {
            capability_id: 'capability-2',
            environment: 'mission',
            mission_name: 'm',
            name: 'llm-request',
            status: 'ok',
            duration_ms: 1,
            finish_reason: 'stop',
            usage: { input: 3, output: 4, cache_read: 1, total_cost: { currency: 'USD', microunits: 9 } },
          },
        ],
        [
          'capability-started',
          { capability_id: 'capability-3', environment: 'mission', mission_name: 'm', name: 'files-read' },
        ],
        [
          'capability-stopped',
          {
            capability_id: 'capability-3',
            environment: 'mission',
            mission_name: 'm',
            name: 'files-read',
            status: 'error',
            duration_ms: 1,
            kind: 'provider_error',
            reason: 'not_found',
          },
        ],
        [
          'evaluation-stopped',
          {
            evaluation_id: 'mission-evaluation-1',
            environment: 'mission',
            mission_name: 'm',
            status: 'returned',
            duration_ms: 1,
          },
        ],
        [
          'capability-stopped',
          { capability_id: 'capability-1', environment: 'workflow', name: 'kernel-eval', status: 'ok', duration_ms: 1 },
        ],
        [
          'evaluation-stopped',
          { evaluation_id: 'workflow-evaluation-1', environment: 'workflow', status: 'ok', duration_ms: 1 },
        ],
        [
          'run-stopped',
          {
            outcome: 'ok',
            reason: null,
            result_hash: 'sha256:cc',
            usage: { llm_spend: { state: 'priced', total_cost: { currency: 'USD', microunits: 9 } } },
          },
        ],
      ),
    );
    const root = named(spans, 'invoke_workflow');
    const [workflow, mission] = spans.filter(({ name }) => name === 'svc.evaluation');
    const tool = named(spans, 'execute_tool run_svc_lisp');
    const chat = named(spans, 'chat small');
    const read = named(spans, 'execute_tool files-read');
    expect(root).to.deep.include({ parent: null, start: 1000, end: 1011, isError: false });
    expect(root.attributes).to.include({
      'svc.run.id': 'cmd-x',
      'svc.bundle.hash': 'aa',
      'svc.tags.team': 'a',
      'svc.outcome': 'ok',
      'svc.result.hash': 'sha256:cc',
      'svc.cost.microusd': 9,
    });
    expect([workflow?.parent, tool.parent, mission?.parent, chat.parent, read.parent]).to.deep.equal([
      root.id,
      workflow?.id,
      tool.id,
      mission?.id,
      mission?.id,
    ]);
    expect(chat).to.include({ kind: 'client', start: 1004, end: 1005, isError: false });
    expect(chat.attributes).to.deep.include({
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.cache_read.input_tokens': 1,
      'svc.cost.microusd': 9,
      'gen_ai.response.finish_reasons': ['stop'],
      'svc.installation.revision': 'r2',
    });
    expect(read).to.include({ isError: true });
    expect(read.attributes).to.include({ 'error.type': 'not_found', 'gen_ai.tool.call.id': 'capability-3' });
    expect(mission).to.include({ isError: false });
    expect(
      spans.every(
        ({ id, parent }) =>
          /^[0-9a-f]{16}$/.test(id) && (parent === null || spans.some((other) => other.id === parent)),
      ),
    ).to.equal(true);
    expect(traceIdOf('cmd-x')).to.match(/^[0-9a-f]{32}$/);
  });

  it('end with the last event where nothing stopped them, and say so', () => {
    const spans = spansOf(
      'cmd-x',
      timedEvents(STARTED, WORKFLOW, [
        'capability-started',
        { capability_id: 'capability-1', environment: 'workflow', name: 'write' },
      ]),
    );
    for (const span of spans) {
      expect(span).to.include({ end: 1002, isError: true });
      expect(span.attributes).to.include({ 'svc.incomplete': true });
    }
    expect(spansOf('cmd-x', [])).to.have.length(1);
  });

  it('keep routes, progress, limits and losses as events, and an agent as one span', () => {
    const action = (turn: number) =>
      [
        'workflow-annotation',
        {
          annotation_type: 'agent-action',
          data: { turn, kind: 'tool-call', max_turns: 8, invocation: 'agent-1' },
          provenance: 'workflow',
        },
      ] as const;
    const spans = spansOf(
      'cmd-x',
      timedEvents(
        STARTED,
        WORKFLOW,
        action(0),
        ['capability-started', { capability_id: 'capability-1', environment: 'workflow', name: 'runtime-usage' }],
        [
          'capability-stopped',
          {
            capability_id: 'capability-1',
            environment: 'workflow',
            name: 'runtime-usage',
            status: 'ok',
            duration_ms: 0,
          },
        ],
        ['workflow-annotation', { annotation_type: 'progress', data: { stage: 'planning' }, provenance: 'workflow' }],
        action(1),
        ['limit-exceeded', { reason: 'capability_quota', limit: 'x', limit_value: 3 }],
        [
          'evaluation-stopped',
          { evaluation_id: 'workflow-evaluation-1', environment: 'workflow', status: 'error', duration_ms: 1 },
        ],
        ['events-dropped', { counts: { 'capability-started': 2 } }],
        ['run-stopped', { outcome: 'error', reason: 'limit_exceeded', usage: {} }],
      ),
    );
    expect(spans.map(({ name }) => name)).to.deep.equal(['invoke_workflow', 'svc.evaluation', 'invoke_agent']);
    const [root, workflow, agent] = spans;
    expect(root?.events.map(({ name }) => name)).to.deep.equal(['progress', 'limit-exceeded', 'events-dropped']);
    expect(root?.attributes).to.include({ 'svc.trace.complete': false, 'error.type': 'limit_exceeded' });
    expect(root?.isError).to.equal(true);
    expect(workflow).to.include({ isError: true });
    expect(workflow?.events.map(({ attributes }) => attributes['name'])).to.deep.equal(['runtime-usage']);
    expect(agent).to.include({ start: 1002, end: 1006, parent: workflow?.id });
    expect(agent?.events.map(({ attributes }) => attributes['turn'])).to.deep.equal([0, 1]);
  });
});
