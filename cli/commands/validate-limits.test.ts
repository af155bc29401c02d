import { expect } from 'chai';
import { LIMITS } from '../../contract/limits/catalogue.ts';
import { effectiveLimits } from '../../contract/limits/effective.ts';
import { limitLines } from './validate-limits.ts';

describe('effective limits for people (documents.md §14.6)', () => {
  const decided = effectiveLimits({ run_duration_ms: 20_000 }, { live_provider_tasks: 4, llm_total_tokens: 1000 });
  if (!decided.ok) throw new Error('within their ceilings');
  const lines = limitLines(decided);

  it('are all there, with value, unit and origin', () => {
    expect(lines).to.have.length(LIMITS.length + 1);
    const reported = lines.map((line) => line.replaceAll(/ +/gu, ' '));
    expect(reported).to.include.members([
      ' run_duration_ms 20000 ms manifest',
      ' workflow_timeout_ms 30000 ms default',
      ' live_provider_tasks 4 host',
      ' llm_total_tokens 1000 host',
      ' llm_cost_microusd off default',
    ]);
  });

  it('stand in columns', () => {
    const [, ...rows] = lines;
    const column = (line: string): number => line.search(/(?:manifest|host|default)$/u);
    expect(new Set(rows.map(column)).size).to.equal(1);
  });
});
