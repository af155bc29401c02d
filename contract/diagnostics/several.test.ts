import { expect } from 'chai';
import * as fc from 'fast-check';
import { diagnostic, providerSubject, type Diagnostic } from './diagnostic.ts';
import { severalFailures } from './several.ts';

const activity = { providerActivity: true } as const;
const cleanupTimeout = diagnostic('provider_cleanup_timeout');
const cleanupFailed = diagnostic('provider_cleanup_failed');
const internal = diagnostic('internal_error', activity);
const resultContract = diagnostic('result_contract_failed', activity);
const workflowFailed = diagnostic('workflow_failed', activity);
const runTimeout = diagnostic('run_timeout', activity);
const acquisition = diagnostic('provider_unavailable', {
  subject: providerSubject('tools', 'acquisition', { destination: 'mission', index: 0 }),
});
const eventSink = diagnostic('event_sink_unavailable', activity);
const inspectionSink = diagnostic('inspection_sink_unavailable', activity);
const traceFailed = diagnostic('trace_publication_failed', activity);
const collision = diagnostic('destination_collision', activity);

const RANKED = [cleanupTimeout, internal, resultContract, workflowFailed, eventSink, inspectionSink, traceFailed];
const ALL = [...RANKED, cleanupFailed, runTimeout, acquisition, collision];

const codes = ({ error, secondaryErrors }: ReturnType<typeof severalFailures>): readonly string[] =>
  [error, ...secondaryErrors].map(({ code }) => code);

describe('several failures at once', () => {
  it('reports one failure alone', () => {
    expect(severalFailures([workflowFailed])).to.deep.equal({ error: workflowFailed, secondaryErrors: [] });
  });

  it('orders by rank, whatever order they came in', () => {
    const [first, ...rest] = RANKED.toReversed();
    if (first === undefined) throw new Error('no failure');
    expect(codes(severalFailures([first, ...rest]))).to.deep.equal(RANKED.map(({ code }) => code));
  });

  it('keeps the first of each category', () => {
    expect(codes(severalFailures([cleanupFailed, cleanupTimeout]))).to.deep.equal(['provider_cleanup_timeout']);
    expect(codes(severalFailures([acquisition, workflowFailed]))).to.deep.equal(['workflow_failed']);
    expect(codes(severalFailures([collision, traceFailed]))).to.deep.equal(['trace_publication_failed']);
  });

  it('orders equal ranks by the enumeration', () => {
    expect(codes(severalFailures([runTimeout, workflowFailed]))).to.deep.equal(['workflow_failed']);
    expect(codes(severalFailures([inspectionSink, eventSink]))).to.deep.equal([
      'event_sink_unavailable',
      'inspection_sink_unavailable',
    ]);
  });

  it('keeps the first given of two with equal phase, code and subject', () => {
    const withCause = diagnostic('trace_publication_failed', { ...activity, cause: 'permission' });
    expect(severalFailures([withCause, traceFailed]).error).to.equal(withCause);
  });

  it('never reports more than seven, nor loses the failure of the highest rank', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Diagnostic>(...ALL), { minLength: 1, maxLength: 20 }), (failures) => {
        const [first, ...rest] = failures;
        if (first === undefined) return;
        const merged = severalFailures([first, ...rest]);
        const categories = codes(merged);
        expect(merged.secondaryErrors.length).to.be.at.most(6);
        expect(new Set(categories).size).to.equal(categories.length);
        expect(severalFailures([merged.error, ...merged.secondaryErrors])).to.deep.equal(merged);
      }),
    );
  });
});
