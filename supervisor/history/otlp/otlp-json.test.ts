import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { otlpJson } from './otlp-json.ts';
import type { TimedEvent } from '../../evidence/telemetry/spans.ts';

function event(type: string, at: number, facts: object = {}): TimedEvent {
  const data = jsonFromPlain(facts);
  if (data === undefined || !isJsonObject(data)) throw new TypeError('an object');
  return { event: { type, data }, at };
}

describe('the trace of a run as OTLP JSON (evidence.md §13)', () => {
  it('holds every span with its parent, in numbers that JSON can tell', () => {
    const text = otlpJson({
      runId: 'cmd-x',
      traceId: 'cmd-x',
      events: [
        event('run-started', 1_774_224_000_000.001),
        event('evaluation-started', 1_774_224_000_001, {
          evaluation_id: 'workflow-evaluation-1',
          environment: 'workflow',
        }),
        event('limit-exceeded', 1_774_224_000_002, { reason: 'capability_quota', limit_value: 3 }),
        event('evaluation-stopped', 1_774_224_000_003, { evaluation_id: 'workflow-evaluation-1', status: 'error' }),
        event('run-stopped', 1_774_224_000_004.5, { outcome: 'error', reason: 'limit_exceeded' }),
      ],
    });
    const [
      {
        resource,
        scopeSpans: [
          {
            schemaUrl,
            spans: [root, child, ...others],
          },
        ],
      },
    ] = Object(JSON.parse(text)).resourceSpans;
    expect(resource.attributes).to.deep.equal([{ key: 'service.name', value: { stringValue: 'svc' } }]);
    expect([schemaUrl, others]).to.deep.equal(['https://opentelemetry.io/schemas/1.41.0', []]);
    expect(root)
      .to.include({
        name: 'invoke_workflow',
        kind: 1,
        startTimeUnixNano: '1774224000000001000',
        endTimeUnixNano: '1774224000004500000',
      })
      .and.not.have.property('parentSpanId');
    expect(root.status).to.deep.equal({ code: 2 });
    expect(root.events).to.deep.equal([
      {
        name: 'limit-exceeded',
        timeUnixNano: '1774224000002000000',
        attributes: [
          { key: 'reason', value: { stringValue: 'capability_quota' } },
          { key: 'limit_value', value: { intValue: '3' } },
        ],
      },
    ]);
    expect(child).to.deep.include({
      name: 'svc.evaluation',
      traceId: root.traceId,
      parentSpanId: root.spanId,
      status: { code: 2 },
    });
  });

  it('links to the span of whoever asked for the run', () => {
    const rootOf = (facts: object): unknown =>
      Object(JSON.parse(otlpJson({ runId: 'r', traceId: 'r', events: [event('run-started', 0, facts)] })))
        .resourceSpans[0].scopeSpans[0].spans[0];
    expect(rootOf({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })).to.deep.include({
      links: [{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', flags: 1 }],
    });
    expect(rootOf({})).to.not.have.property('links');
  });

  it('tells fractions, truths and lists as what they are', () => {
    const text = otlpJson({
      runId: 'r',
      traceId: 'r',
      events: [
        event('run-started', 0),
        event('capability-started', 1, { capability_id: 'c', alias: 'small', name: 'llm-request' }),
        event('capability-stopped', 2, { capability_id: 'c', status: 'ok', finish_reason: 'stop' }),
        event('limit-exceeded', 3, { limit_value: 0.5 }),
      ],
    });
    expect(text)
      .to.include('{"key":"gen_ai.response.finish_reasons","value":{"arrayValue":{"values":[{"stringValue":"stop"}]}}}')
      .and.include('{"key":"svc.incomplete","value":{"boolValue":true}}')
      .and.include('{"doubleValue":0.5}')
      .and.include('"kind":3');
  });
});
