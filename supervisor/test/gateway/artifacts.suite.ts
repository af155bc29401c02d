import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { messagesOf, modern, startTestGateway } from './gateway.ts';

const ECHO = '(ns main)\n(defn run [input] {:value (get input "value")})\n';

describe('artifacts of a gateway (documents.md §8)', () => {
  it('lie below their root as those of a project do, of all tools together', async () => {
    const gateway = await startTestGateway(
      {
        tools: { one: { program: ECHO }, two: { program: ECHO } },
        edit: (document) => ({ ...document, artifacts: { root: 'artifacts', trace: true, inspection: true } }),
      },
      [],
      (directory) => {
        mkdirSync(join(directory, 'artifacts'), { mode: 0o700 });
      },
    );
    const runOf = async (name: string): Promise<string> => {
      const end = Object(
        (await messagesOf(await fetch(gateway.url, modern('tools/call', { name, arguments: { value: 'v' } })))).at(-1),
      );
      return end.result['_meta']['svc/call'].run_ref;
    };
    // Two at once are as many as there may be.
    const runs = [...(await Promise.all([runOf('one'), runOf('two')])), await runOf('one')];
    const below = (name: string): readonly string[] =>
      readdirSync(join(gateway.directory, 'artifacts', name)).toSorted();
    expect(below('traces')).to.deep.equal(runs.map((ref) => `${ref}.jsonl`).toSorted());
    expect(below('inspection')).to.deep.equal(runs.map((ref) => `${ref}.svcins`).toSorted());
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('without a place refuse the call, and nothing else', async () => {
    const gateway = await startTestGateway(
      {
        tools: { one: { program: ECHO } },
        edit: (document) => ({ ...document, artifacts: { root: 'artifacts', trace: true } }),
      },
      [],
      (directory) => {
        mkdirSync(join(directory, 'artifacts'), { mode: 0o700 });
      },
    );
    const call = async (): Promise<Response> =>
      fetch(gateway.url, modern('tools/call', { name: 'one', arguments: { value: 'v' } }));
    const root = join(gateway.directory, 'artifacts');
    for (const [spoil, mend] of [
      [
        () => {
          chmodSync(root, 0o755);
        },
        () => {
          chmodSync(root, 0o700);
        },
      ],
      [
        () => {
          renameSync(root, `${root}-away`);
          writeFileSync(root, '');
        },
        () => {
          rmSync(root);
          renameSync(`${root}-away`, root);
        },
      ],
    ] as const) {
      spoil();
      const refused = await call();
      expect([refused.status, Object(await refused.json()).error]).to.deep.equal([
        503,
        { code: -31_998, message: 'the gateway cannot take this call now', data: { reason: 'artifact_unavailable' } },
      ]);
      expect((await fetch(new URL('/health/ready', gateway.url))).status).to.equal(200);
      mend();
      expect((await messagesOf(await call())).at(-1)).to.have.nested.property('result.isError', false);
    }
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('name the span of the caller where the request says it (gateway.md §5)', async () => {
    const gateway = await startTestGateway(
      {
        tools: { one: { program: ECHO } },
        edit: (document) => ({ ...document, artifacts: { root: 'artifacts', trace: true } }),
      },
      [],
      (directory) => {
        mkdirSync(join(directory, 'artifacts'), { mode: 0o700 });
      },
    );
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const [input, reported] of [
      [parent, parent],
      [`${parent}-`, undefined],
      [7, undefined],
    ] as const) {
      const end = Object(
        (
          await messagesOf(
            await fetch(
              gateway.url,
              modern('tools/call', { name: 'one', arguments: {} }, { meta: { traceparent: input } }),
            ),
          )
        ).at(-1),
      );
      const [first] = readFileSync(
        join(gateway.directory, 'artifacts', 'traces', `${end.result['_meta']['svc/call'].run_ref}.jsonl`),
        'utf8',
      ).split('\n');
      expect(JSON.parse(first ?? '').data.traceparent).to.equal(reported);
    }
    expect((await gateway.stop()).status).to.equal(0);
  });
});
