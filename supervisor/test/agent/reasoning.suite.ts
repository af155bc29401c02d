import { expect } from 'chai';
import { VENDOR_FAKES } from '../../../conformance/servers/llm/vendors/vendors.ts';
import type { AgentApplication } from './scenario.ts';
import { useAgents } from './agent-run.ts';

const PROGRAMS = ['(def a 20)', '(def b (+ a 1))', '(return (* 2 b))'];
const EFFORT = { params: { reasoning_effort: 'high' } };

describe('an agent whose model reasons (world.md §1.2)', () => {
  const agents = useAgents();
  const rows: readonly (readonly [keyof typeof VENDOR_FAKES, AgentApplication])[] = [
    ['responses', { install: { wire: 'responses', ...EFFORT } }],
    ['compatible', { install: EFFORT }],
  ];
  for (const [fake, application] of rows) {
    it(`gives back to ${fake} in each turn what it gave before, byte for byte, and is replayed so`, async () => {
      const run = await agents.playVendor(application, VENDOR_FAKES[fake], PROGRAMS);
      expect(run.vendor.exchanges.map(({ refusal }) => refusal)).to.deep.equal([null, null, null]);
      expect(run.vendor.answered.map(({ pieces }) => pieces.length)).to.not.include(0);
      expect([run.exitStatus, JSON.stringify(run.value)]).to.satisfy(
        ([status, value]: readonly [number, string]) => status === 0 && value.includes('42'),
      );
      const stopped = run.events.filter(({ type, data }) => type === 'capability-stopped' && 'usage' in data);
      expect(stopped.map(({ data }) => typeof data['continuation_bytes'])).to.deep.equal([
        'number',
        'number',
        'number',
      ]);
      expect(run.published, 'the trace has its size alone').not.to.include('Thought 0');
      const outputs = run.records.filter(({ type }) => type === 'capability-output');
      expect(JSON.stringify(outputs)).to.include('Thought 0').and.to.include('continuation');

      const again = await agents.replay(application, run);
      expect([again.exitStatus, again.value]).to.deep.equal([0, run.value]);
      expect(again.requests.map(({ hash }) => hash)).to.deep.equal(run.requests.map(({ hash }) => hash));
    });

    it(`is given to ${fake} no longer once its turn is dropped (world.md §3.9)`, async () => {
      const turns = 12;
      const programs = Array.from({ length: turns }, (_, n) =>
        n === turns - 1 ? '(return x0)' : `(def x${String(n)} ${String(n)}) (apply str (repeat 400 "y"))`,
      );
      const agent = { max_turns: turns, compact_at_tokens: 800 };
      const run = await agents.playVendor({ ...application, entry: 'run-value', agent }, VENDOR_FAKES[fake], programs);
      expect([run.exitStatus, run.value]).to.deep.equal([0, 0]);
      expect(run.vendor.exchanges.map(({ refusal }) => refusal)).to.deep.equal(programs.map(() => null));
      const shown = run.requests.map(({ messages }) =>
        messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => String(Object(call).id))),
      );
      const [last = []] = shown.slice(-1);
      expect(last.length, 'some turns are dropped').to.be.within(1, turns - 2);
      for (const [nth, { body }] of run.vendor.exchanges.entries()) {
        for (const { calls, pieces } of run.vendor.answered.slice(0, nth)) {
          const isShown = calls.every((id) => shown[nth]?.includes(id));
          const acquired = pieces.filter((piece) => body.includes(piece));
          expect(acquired, `turn of ${calls.join()} in request ${String(nth)}`).to.deep.equal(isShown ? pieces : []);
        }
      }
      for (const { messages } of run.requests) {
        const carrying = messages.filter((message) => 'continuation' in message);
        expect(carrying.map(({ role }) => role)).to.deep.equal(
          messages.filter(({ role }) => role === 'assistant').map(({ role }) => role),
        );
      }
    });
  }
});
