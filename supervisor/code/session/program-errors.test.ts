import { expect } from 'chai';
import { faultError, lossError, SETTERS, unstoredRemedy } from './program-errors.ts';

const fault = (reason: string, message: string): Parameters<typeof faultError>[0] => ({
  reason,
  message,
  span: null,
  details: {},
  exception_class: null,
  public_error: null,
});
const FIXED = 'is fixed by the sandbox: no limit of the application or its host changes it';

describe('the message of a limit that a program reached', () => {
  for (const [reason, message, remedy] of [
    ['loop_limit_exceeded', 'too many', `let loops end sooner: evaluation_loop_iterations is ${SETTERS}`],
    ['memory_exceeded', 'endless recursion: a function calls itself', `how deep calls may go ${FIXED}`],
    ['memory_exceeded', 'a string exceeds the size limit', `how large a value may be ${FIXED}`],
    ['memory_exceeded', 'anything else', null],
    [
      'tool_error',
      'tool/a failed (limit_exceeded, capability_quota): {"limit" "mission_capability_calls", "limit_value" 2}',
      `make fewer calls in one program: mission_capability_calls is ${SETTERS}`,
    ],
    [
      'tool_error',
      'tool/llm-query failed (limit_exceeded, capability_quota): {"alias" "a", "limit" "max_calls"}',
      'make fewer calls in one program: max_calls is set where the host installs the model',
    ],
    ['tool_error', 'tool/a failed (provider_error, domain_error): no', null],
  ] as const)
    it(`${reason}, ${message}: ${remedy ?? 'nothing'}`, () => {
      expect(faultError(fault(reason, message), '1').remedy).to.equal(remedy);
    });

  const bounds = { timeoutMs: 500, longestMs: 500, runMs: 1000, heapWords: 9, storedBytes: 0, largest: [] };
  const lost = (loss: 'timeout' | 'memory_exceeded' | 'host_lost', more: Partial<Parameters<typeof lossError>[1]>) =>
    lossError({ kind: 'lost', loss, signal: null, during: 'execution' }, { ...bounds, ...more });

  it('its own time, that of its run, or that which its call asked for', () => {
    expect(lost('timeout', {}).message).to.include('500 ms (evaluation_timeout_ms, ');
    expect(lost('timeout', { runMs: 500 }).message).to.include('the 500 ms that its run may take (run_duration_ms, ');
    expect(lost('timeout', { timeoutMs: 5 }).message).to.include('the 5 ms that its call asked for');
  });

  it('a part, where the value is too large to keep, and no definition', () => {
    expect(unstoredRemedy({ commit_refusal: 'history_exceeded' })).to.match(
      /^end the program with a part of the value/,
    );
  });

  it('the largest definitions, where the session holds any', () => {
    const largest = [
      { name: 'a', bytes: 7 },
      { name: 'b', bytes: 2 },
    ];
    for (const loss of ['memory_exceeded', 'host_lost'] as const) {
      expect(lost(loss, { storedBytes: 9, largest }).remedy).to.match(
        /; the largest definitions: a \(7 bytes\), b \(2 bytes\)$/,
      );
      expect(lost(loss, {}).remedy ?? '').not.to.include('definitions');
    }
  });
});
