/**
 * Providers that are opened once and lent to many runs (gateway.md §10): a real server of tools, and recorded answers
 * of a model.
 */
import { expect } from 'chai';
import { LOOK_UP, ToolRoom, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { isAlive } from '../../../conformance/cli/descendants.ts';
import { until } from '../../../conformance/until.ts';
import type { OpenedProviders, PreparedApplication, Supervisor } from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const SCRIPT = { steps: [discover(), listing(LOOK_UP), call({ result: textResult('a') })] };
const FOUND = { status: 'ok', value: { text: ['a'] } };

describe('providers that are opened before any run', () => {
  let supervisor: Supervisor;
  before(async () => {
    supervisor = await supervise();
  });
  after(async () => supervisor.close());

  interface Opened {
    readonly room: ToolRoom;
    readonly application: PreparedApplication;
    readonly providers: OpenedProviders;
  }

  async function prepared(room: ToolRoom): Promise<PreparedApplication> {
    return supervisor.prepare({
      kind: 'directory',
      manifest: 'svc.json',
      host: 'svc-host.json',
      workingDirectory: room.directory,
    });
  }

  async function acquired(application: PreparedApplication, of = supervisor): Promise<OpenedProviders> {
    const answer = await of.acquire(application);
    if (answer.kind === 'refused') throw new Error(answer.code);
    return answer.providers;
  }

  async function opened(
    script: ConstructorParameters<typeof ToolRoom>[0]['script'],
    work: (opened: Opened) => Promise<void>,
  ): Promise<void> {
    const room = new ToolRoom({ script });
    try {
      const application = await prepared(room);
      const providers = await acquired(application);
      await work({ room, application, providers });
      expect(await providers.close()).to.equal(true);
      await room.allEnded();
    } finally {
      room.close();
    }
  }

  it('serve many runs with one process, and are told of in each as if it had opened them', async () => {
    await opened(SCRIPT, async ({ room, application, providers }) => {
      const before = room.pids();
      const ends = await Promise.all(
        Array.from({ length: 5 }, async () => supervisor.run(application, { providers }).result),
      );
      for (const end of ends) expect(finished(end)).to.deep.include({ value: FOUND, effects: 'read' });
      expect(room.pids()).to.deep.equal(before);
      expect(room.methods().filter((method) => method === 'server/discover')).to.have.length(1);
      expect(room.methods().filter((method) => method === 'tools/call')).to.have.length(5);
      const alone = finished(await supervisor.run(application).result);
      expect(alone.value).to.deep.equal(FOUND);
      expect(room.pids().length).to.be.greaterThan(before.length);
    });
  });

  it('are what they are again each time, by destination and alias', async () => {
    const identities: object[] = [];
    for (let time = 0; time < 2; time += 1)
      await opened(SCRIPT, async ({ providers }) => {
        identities.push(providers.identities);
      });
    expect(Object.keys(identities[0] ?? {})).to.deep.equal(['mission/desk']);
    expect(JSON.stringify(identities[0])).to.match(/sha256:[0-9a-f]{64}/);
    expect(identities[1]).to.deep.equal(identities[0]);
    const other = {
      ...LOOK_UP,
      inputSchema: { ...LOOK_UP.inputSchema, properties: { city: { type: 'string', maxLength: 21 } } },
    };
    await opened({ steps: [discover(), listing(other), call({ result: textResult('a') })] }, async ({ providers }) => {
      expect(providers.identities).not.to.deep.equal(identities[0]);
    });
  });

  it('a cancelled run leaves to the others', async () => {
    const script = {
      steps: [
        discover(),
        listing(LOOK_UP),
        { ...call({ waitsForCancel: true, result: textResult('late') }), times: 1 },
        call({ result: textResult('a') }),
      ],
    };
    await opened(script, async ({ room, application, providers }) => {
      const waiting = supervisor.run(application, { providers });
      await until('its call', () => (room.methods().includes('tools/call') ? true : undefined));
      await waiting.cancel();
      expect(finished(await waiting.result).envelope.status).to.equal('error');
      expect(finished(await supervisor.run(application, { providers }).result).value).to.deep.equal(FOUND);
    });
  });

  it('tell when they are lost, and are lent to nobody then', async () => {
    await opened(SCRIPT, async ({ room, application, providers }) => {
      for (const pid of room.pids().filter(isAlive)) process.kill(pid, 'SIGKILL');
      await providers.lost;
      const { envelope } = finished(await supervisor.run(application, { providers }).result);
      expect(envelope).to.deep.nested.include({
        'error.code': 'provider_unavailable',
        'error.phase': 'provider_acquisition',
      });
      const again = await acquired(application);
      expect(again.identities).to.deep.equal(providers.identities);
      expect(finished(await supervisor.run(application, { providers: again }).result).value).to.deep.equal(FOUND);
      expect(await again.close()).to.equal(true);
    });
  });

  it('are lent to no run once they are closed, nor to anybody else', async () => {
    await opened(SCRIPT, async ({ room, application, providers }) => {
      const other = await supervise();
      try {
        const theirs = await other.prepare({
          kind: 'directory',
          manifest: 'svc.json',
          host: 'svc-host.json',
          workingDirectory: room.directory,
        });
        expect(() => other.run(theirs, { providers })).to.throw(TypeError);
        expect(await other.acquire(application)).to.include({ kind: 'refused', code: 'prepared_stale' });
      } finally {
        await other.close();
      }
      expect(() => supervisor.run(application, { providers, tenant: 'another' })).to.throw(TypeError);
      expect(() => supervisor.run(application, { providers, principal: 'somebody' })).to.throw(TypeError);
      await providers.close();
      expect(finished(await supervisor.run(application, { providers }).result).envelope).to.deep.nested.include({
        'error.code': 'provider_unavailable',
      });
    });
  });

  it('that cannot be opened are told as a run tells them', async () => {
    const room = new ToolRoom({ script: { steps: [discover(), listing()] } });
    try {
      const answer = await supervisor.acquire(await prepared(room));
      expect(answer).to.deep.nested.include({
        kind: 'refused',
        code: 'provider_tool_missing',
        'diagnostic.phase': 'provider_acquisition',
      });
      await room.allEnded();
    } finally {
      room.close();
    }
  });

  it('end with their supervisor', async () => {
    const room = new ToolRoom({ script: SCRIPT });
    try {
      const own = await supervise();
      const application = await own.prepare({
        kind: 'directory',
        manifest: 'svc.json',
        host: 'svc-host.json',
        workingDirectory: room.directory,
      });
      await acquired(application, own);
      expect(room.pids().some(isAlive)).to.equal(true);
      await own.close();
      await room.allEnded();
      expect(await own.acquire(application)).to.include({ kind: 'refused', code: 'draining' });
    } finally {
      room.close();
    }
  });
});
