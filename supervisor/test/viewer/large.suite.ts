import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answeringModel, copyTrace, svc } from '../../../bench/viewer-evidence.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';
import { serve, type ServedViewer } from './viewer.ts';

/** What a capture of an analysis session may read at most (evidence.md §5); the viewer has no such bound. */
const CAPTURE_BYTES = 8_000_000;
const ANSWER_BYTES = 1_000_000;

const TURNS = 40;
const MESSAGE_CHARACTERS = 30_000;
/** Two events each, for a long trace. */
const CALLS = 1000;
const LIMITS = {
  workflow_capability_calls: 2048,
  workflow_capability_calls_per_name: 2048,
  normal_event_count: 4096,
  normal_event_bytes: 4_000_000,
};
const PROGRAM = `(ns main)
(defn run [input]
  (dotimes [n ${String(TURNS)}]
    (tool/llm-request {:messages [{:role "user" :content (apply str n (repeat ${String(MESSAGE_CHARACTERS)} "x"))}]}))
  (dotimes [_ ${String(CALLS)}] (tool/runtime-usage {}))
  1)
`;

async function runOnce(directory: string): Promise<string> {
  const model = await answeringModel();
  const files = {
    'main.clj': PROGRAM,
    'svc.json': {
      version: 1,
      workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
      providers: { workflow: [{ name: 'small' }] },
      limits: LIMITS,
      input: { value: {} },
    },
    'project.json': {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true },
      viewer: { private: true },
    },
    'host.json': {
      credentials: { key: { literal: 'k' } },
      limits: LIMITS,
      install: {
        small: {
          source: 'llm',
          installation_revision: 'r1',
          model: `openai-compat:${model.url}|m`,
          credential: 'key',
          structured_output_mode: 'unsupported',
          usage_guarantees: { tokens: false, cost_currency: null },
        },
      },
    },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  try {
    await svc(directory, 'run', 'project.json');
  } finally {
    model.close();
  }
  return readdirSync(join(directory, '.svc/traces')).join().replace('.jsonl', '');
}

interface Page {
  readonly streams: readonly { readonly stream_id: string; readonly turns: readonly unknown[] }[];
  readonly next_cursor: string | null;
  readonly omitted_count: number;
}

interface Runs {
  readonly items: readonly { readonly run_id: string }[];
  readonly omitted_count: number;
  readonly unread_trace_files?: number;
}

describe('the viewer of a large project (evidence.md §11)', () => {
  let directory: string;
  let large: string;
  let copies = 0;
  let viewer: ServedViewer;
  before(async () => {
    directory = makeWorkDirectory();
    large = await runOnce(directory);
    const bytes = readFileSync(join(directory, '.svc/traces', `${large}.jsonl`)).length;
    for (copies = 0; copies * bytes <= CAPTURE_BYTES; copies += 1)
      await copyTrace(directory, large, `cmd-${String(copies).padStart(26, '0')}`);
    viewer = await serve(directory, ['project.json', '--port', '0']);
    // The youngest are shown at once, the others as soon as they are read.
    await until('every trace is read', async () =>
      (await runs('')).unread_trace_files === undefined ? true : undefined,
    );
  });
  after(async () => {
    await viewer.stop();
    removeWorkDirectory(directory);
  });

  const ask = async (path: string): Promise<{ readonly text: string; readonly status: number }> => {
    const response = await fetch(`${viewer.url.replace(/\/$/, '')}${path}`);
    return { text: await response.text(), status: response.status };
  };
  const runs = async (query: string): Promise<Runs> => JSON.parse((await ask(`/api/kernel/runs${query}`)).text);
  const refusal = async (path: string): Promise<string> => Object(JSON.parse((await ask(path)).text)).error.code;

  it('lists and finds every run, whatever their traces take together', async () => {
    const all = await runs('?limit=100');
    expect([all.items.length, all.omitted_count]).to.deep.equal([1 + copies, 0]);
    const found = await runs(`?search=${large}`);
    expect(found.items.map(({ run_id: id }) => id)).to.deep.equal([large]);
  });

  it('gives a conversation of more than an answer holds in pages, each turn once and in order', async () => {
    const turns: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const query: string = cursor === null ? '' : `?cursor=${cursor}`;
      const { text, status } = await ask(`/api/analysis/runs/${large}/conversation${query}`);
      expect([status, Buffer.byteLength(text) <= ANSWER_BYTES]).to.deep.equal([200, true]);
      const body: Page = JSON.parse(text);
      turns.push(...body.streams.flatMap(({ stream_id: id, turns: of }) => of.map(() => id)));
      expect(body.omitted_count).to.equal(TURNS - turns.length);
      cursor = body.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(turns).to.deep.equal(Array.from({ length: TURNS }, (_, nth) => `stream-${String(nth + 1)}`));
    expect(pages).to.be.greaterThan(1);
    expect(await refusal(`/api/analysis/runs/${large}/conversation?cursor=x`)).to.equal('invalid_query');
  });

  it('shows what a changed index says no longer: the files decide', async () => {
    const path = join(directory, '.svc/traces', 'cmd-00000000000000000000000000.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 3).join('\n'));
    expect(await refusal('/api/kernel/runs/cmd-00000000000000000000000000')).to.equal('source_changed');
  });
});
