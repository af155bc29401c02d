import { expect } from 'chai';
import { hostDeath } from './host-death.ts';

describe('who ended a host', () => {
  const rows: readonly (readonly [NodeJS.Signals | null, string, string])[] = [
    [null, '', 'own'],
    ['SIGABRT', 'FATAL ERROR: Reached heap limit', 'own'],
    ['SIGABRT', '', 'outside'],
    [
      'SIGABRT',
      "terminate called after throwing an instance of 'std::system_error'\n  what():  Resource temporarily unavailable\n",
      'outside',
    ],
    ['SIGABRT', 'Assertion failed: (0) == (uv_thread_create(t.get(), start_thread, this))', 'outside'],
    ['SIGTRAP', '', 'own'],
    ['SIGILL', '', 'own'],
    ['SIGSEGV', '', 'unsure'],
    ['SIGBUS', '', 'unsure'],
    ['SIGKILL', '', 'outside'],
    ['SIGTERM', 'some words', 'outside'],
  ];
  for (const [signal, stderr, expected] of rows) {
    it(`${signal ?? 'no signal'}, ${stderr === '' ? 'without a word' : `after ${JSON.stringify(stderr.slice(0, 40))}`}: ${expected}`, () => {
      expect(hostDeath({ code: signal === null ? 1 : null, signal }, stderr)).to.equal(expected);
    });
  }
});
