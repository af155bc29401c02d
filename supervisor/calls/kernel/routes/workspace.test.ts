import { expect } from 'chai';
import { fakeMission, type FakeMission } from '../testing/mission-fixture.ts';

async function open(mission: FakeMission, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return mission.value('kernel-workspace', { mode: 'open', missions: ['room'], ...more });
}
const close = async (mission: FakeMission, workspace: string) =>
  mission.call('kernel-workspace', { mode: 'close', workspace });
const run = async (mission: FakeMission, source: string, workspace?: string) =>
  mission.value('kernel-eval', { mission: 'room', kind: 'source', source, ...(workspace && { workspace }) });
const restored = ({ requests }: FakeMission): unknown => {
  const { request } = requests.at(-1) ?? {};
  return request !== undefined && 'continuation' in request ? request.continuation : null;
};

describe('kernel-workspace (world.md §3.1)', () => {
  it('gives each loop a place of its own, and one of a name to one loop at a time', async () => {
    const mission = fakeMission();
    expect(await open(mission)).to.deep.equal({ workspace: 'loop-1' });
    expect(await open(mission)).to.deep.equal({ workspace: 'loop-2' });
    expect(await open(mission, { name: 'notes' })).to.deep.equal({ workspace: 'named-notes' });
    expect(await open(mission, { name: 'notes' })).to.deep.equal({ option: 'workspace', rule: 'workspace-in-use' });
    await close(mission, 'named-notes');
    expect(await open(mission, { name: 'notes' })).to.deep.equal({ workspace: 'named-notes' });
  });

  it('a program goes on from its own place alone', async () => {
    const mission = fakeMission();
    await open(mission);
    await open(mission);
    await run(mission, 'a', 'loop-1');
    await run(mission, 'b', 'loop-2');
    expect(restored(mission)).to.equal(null);
    await run(mission, 'c');
    expect(restored(mission)).to.equal(null);
    await run(mission, 'd', 'loop-1');
    expect(restored(mission)).to.equal('living');
    expect(mission.kernel.counts().memories[0]).to.deep.include({ defined_count: 3, memory_bytes: 30 });
  });

  it('what was in a place of no name is over with its loop, with its isolate', async () => {
    const mission = fakeMission();
    await open(mission);
    await run(mission, 'a', 'loop-1');
    expect(mission.live()).to.equal(1);
    await close(mission, 'loop-1');
    expect(mission.live()).to.equal(0);
    expect(
      await mission.call('kernel-eval', { mission: 'room', kind: 'source', source: 'b', workspace: 'loop-1' }),
    ).to.deep.include({ kind: 'protocol_error', reason: 'invalid_kernel_eval_request' });
  });

  it('what was in one of a name is there for the next loop of that name', async () => {
    const mission = fakeMission();
    await open(mission, { name: 'notes' });
    await run(mission, 'a', 'named-notes');
    await close(mission, 'named-notes');
    await open(mission, { name: 'notes' });
    await run(mission, 'b', 'named-notes');
    expect(restored(mission)).to.equal('living');
  });

  it('keeps isolates for the places that were used last, and restores the others', async () => {
    const mission = fakeMission();
    for (let n = 1; n <= 20; n += 1) {
      await open(mission);
      await run(mission, 'a', `loop-${String(n)}`);
    }
    expect(mission.live()).to.equal(16);
    await run(mission, 'b', 'loop-1');
    expect(restored(mission)).to.deep.equal({ definitions: 'after a   ', history: ['12345'] });
  });

  it('gives programs the data of their loop beside that of their mission, and shows it', async () => {
    const mission = fakeMission();
    await open(mission, { data: { doc: { a: 1 }, rows: 'mine' } });
    await run(mission, 'a', 'loop-1');
    expect(mission.requests.at(-1)?.request).to.deep.include({ data: { rows: '"mine"', doc: '{"a":1}' } });
    const shown = await mission.call('kernel-mission-model-context', { mission: 'room', workspace: 'loop-1' });
    expect(shown).to.deep.equal({ kind: 'value', value: 'context of room with doc rows' });
  });

  const refusals: readonly (readonly [title: string, Readonly<Record<string, unknown>>, option: string, string])[] = [
    ['a name that is blank', { name: ' ' }, 'workspace', 'invalid-workspace'],
    ['a name that is no text', { name: 7 }, 'workspace', 'invalid-workspace'],
    ['data that is no map', { data: [1] }, 'data', 'invalid-data'],
    ['data that no program can name', { data: { 'a b': 1 } }, 'data', 'invalid-data'],
    ['data that is too large to be shown', { data: { huge: 1 } }, 'data', 'data-too-large-to-show'],
  ];
  for (const [title, more, option, rule] of refusals) {
    it(`answers the rule that an option breaks: ${title}`, async () => {
      expect(await open(fakeMission(), more)).to.deep.equal({ option, rule });
    });
  }

  it('refuses every other request', async () => {
    const mission = fakeMission();
    for (const input of [{}, { mode: 'open' }, { mode: 'close' }, { mode: 'open', missions: [], more: 1 }])
      expect(await mission.call('kernel-workspace', input)).to.deep.include({ reason: 'invalid_workspace_request' });
  });
});
