import { expect } from 'chai';
import * as fc from 'fast-check';
import { LIMITS } from './catalogue.ts';
import { effectiveLimits, installedCeiling, type LimitsDecision, type WrittenLimits } from './effective.ts';

function decided(decision: LimitsDecision): Extract<LimitsDecision, { ok: true }> {
  if (!decision.ok) {
    throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
  }
  return decision;
}

/** Any subset of the limits that a manifest or host may write, in range. */
function arbitraryLimits(scopes: readonly string[]): fc.Arbitrary<WrittenLimits> {
  const rows = LIMITS.filter((row) => scopes.includes(row.scope));
  return fc
    .subarray(rows)
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((row) =>
          fc
            .integer({ min: row.minimum, max: Math.min(row.maximum, 100_000) })
            .map((value) => [row.name, value] as const),
        ),
      ),
    )
    .map((entries): WrittenLimits => Object.fromEntries(entries));
}

describe('effective limits (documents.md §5)', () => {
  it('are the defaults where no document says anything', () => {
    const { values, origins } = decided(effectiveLimits({}, {}));
    expect(Object.entries(values)).to.deep.equal(LIMITS.map((row) => [row.name, row.default]));
    expect(new Set(Object.values(origins))).to.deep.equal(new Set(['default']));
  });

  const cases: readonly (readonly [string, WrittenLimits, WrittenLimits, unknown])[] = [
    ['a request up to the ceiling', { run_duration_ms: 1_800_000 }, {}, [1_800_000, 'manifest']],
    ['a request below the default', { run_duration_ms: 1 }, {}, [1, 'manifest']],
    [
      'a request up to a raised ceiling',
      { run_duration_ms: 2_000_000 },
      { run_duration_ms: 2_000_000 },
      [2_000_000, 'manifest'],
    ],
    ['the default under a raised ceiling', {}, { run_duration_ms: 2_000_000 }, [30_000, 'default']],
    ['the default at its ceiling', {}, { run_duration_ms: 30_000 }, [30_000, 'default']],
    ['a ceiling below the default', {}, { run_duration_ms: 29_999 }, [29_999, 'host']],
  ];
  for (const [name, requested, host, expected] of cases) {
    it(`take ${name}`, () => {
      const { values, origins } = decided(effectiveLimits(requested, host));
      expect([values.run_duration_ms, origins.run_duration_ms]).to.deep.equal(expected);
    });
  }

  it('take a host value of an optional or installed limit as its default', () => {
    const { values, origins } = decided(
      effectiveLimits(
        { llm_cost_microusd: 5 },
        { llm_total_tokens: 9, llm_cost_microusd: 5, provider_cleanup_timeout_ms: 20_000 },
      ),
    );
    expect(values).to.include({ llm_total_tokens: 9, llm_cost_microusd: 5, provider_cleanup_timeout_ms: 20_000 });
    expect(origins).to.include({
      llm_total_tokens: 'host',
      llm_cost_microusd: 'manifest',
      provider_cleanup_timeout_ms: 'host',
    });
  });

  it('refuse a request above the ceiling, never clamp it', () => {
    expect(effectiveLimits({ run_duration_ms: 1_800_001 }, {})).to.deep.equal({
      ok: false,
      refusal: {
        reason: 'installed_limit_exceeded',
        name: 'run_duration_ms',
        requested: 1_800_001,
        ceiling: 1_800_000,
      },
    });
    expect(effectiveLimits({ llm_total_tokens: 11 }, { llm_total_tokens: 10 })).to.deep.equal({
      ok: false,
      refusal: { reason: 'installed_limit_exceeded', name: 'llm_total_tokens', requested: 11, ceiling: 10 },
    });
  });

  it('refuse a request for a limit that is off', () => {
    expect(effectiveLimits({ llm_total_tokens: 1 }, {})).to.deep.equal({
      ok: false,
      refusal: { reason: 'limit_unavailable', name: 'llm_total_tokens', requested: 1 },
    });
  });

  it('report the first refusal by name (documents.md §12)', () => {
    const decision = effectiveLimits({ workflow_timeout_ms: 2_000_000, protocol_errors: 513, llm_total_tokens: 1 }, {});
    expect(decision.ok ? null : decision.refusal.name).to.equal('llm_total_tokens');
  });

  it('never exceed a ceiling, and honour every request they do not refuse', () => {
    fc.assert(
      fc.property(
        arbitraryLimits(['narrowable', 'optional']),
        arbitraryLimits(['narrowable', 'optional', 'installed']),
        (requested, host) => {
          const decision = effectiveLimits(requested, host);
          const excessive = LIMITS.filter(
            (row) => (requested[row.name] ?? 0) > (installedCeiling(row, host[row.name]) ?? 0),
          );
          expect(decision.ok).to.equal(excessive.length === 0);
          if (decision.ok) {
            for (const row of LIMITS) {
              const value = decision.values[row.name];
              expect(value ?? 0).to.be.at.most(installedCeiling(row, host[row.name]) ?? 0);
              expect(value).to.equal(requested[row.name] ?? value);
            }
          }
        },
      ),
    );
  });
});
