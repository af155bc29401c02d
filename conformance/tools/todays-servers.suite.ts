import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { until } from '../until.ts';
import { runTools, type ToolApplication } from './room.ts';
import { overHttp } from './todays-servers-over-http.ts';

type Members = Readonly<Record<string, unknown>>;

const PACKAGES = join(import.meta.dirname, '../../node_modules');
const program = (...path: readonly string[]): string => join(PACKAGES, ...path);
const EVERYTHING = program('@modelcontextprotocol/server-everything/dist/index.js');
const FILES = program('@modelcontextprotocol/server-filesystem/dist/index.js');
const MEMORY = program('@modelcontextprotocol/server-memory/dist/index.js');
const THINKING = program('@modelcontextprotocol/server-sequential-thinking/dist/index.js');

/** Tools by the names that programs use, all of which tell what fails. */
const mapped = (tools: Readonly<Record<string, string>>, more: Members = {}): Members =>
  Object.fromEntries(
    Object.entries(tools).map(([as, name]) => [name, { as, effect: 'read', error_feedback: 'bounded', ...more }]),
  );
const started = (args: readonly string[], more: Partial<ToolApplication>): ToolApplication => ({
  script: { steps: [] },
  transport: { args },
  ...more,
});

/** What of every kind that the reference server has comes of it, over whatever transport. */
const KINDS = mapped({
  echo: 'echo',
  sum: 'get-sum',
  image: 'get-tiny-image',
  links: 'get-resource-links',
  resource: 'get-resource-reference',
  annotated: 'get-annotated-message',
  weather: 'get-structured-content',
  zip: 'gzip-file-as-resource',
  long: 'trigger-long-running-operation',
});
const CALLS = `[(tool/echo {:message "hello"})
  (tool/sum {:a 2 :b 3})
  (tool/image {})
  (tool/links {:count 2})
  (tool/resource {:resourceType "Text" :resourceId 1})
  (tool/resource {:resourceType "Blob" :resourceId 1})
  (tool/annotated {:messageType "success" :includeImage true})
  (tool/weather {:location "Chicago"})
  (tool/zip {:name "a.gz" :data "data:text/plain,abc" :outputType "resource"})
  (tool/long {:duration 0.2 :steps 4})
  (tool/echo {})]`;

const DIGEST = /^[0-9a-f]{64}$/;

function expectKinds(value: unknown): void {
  const values: readonly Members[] = Object(value).map((answer: Members) => answer['value'] ?? answer);
  const [echo, sum, image, links, text, blob, annotated, weather, zip, long, refused] = values;
  expect(echo).to.have.nested.property('text[0]').that.matches(/hello/);
  expect(sum).to.have.nested.property('text[0]').that.matches(/5/);
  expect(image).to.have.nested.property('content[0]').that.includes({ type: 'image', mimeType: 'image/png' });
  expect(image).to.have.nested.property('content[0].bytes').that.is.above(100);
  expect(image).to.have.nested.property('content[0].sha256').that.matches(DIGEST);
  expect(image).not.to.have.nested.property('content[0].data');
  expect(links).to.have.nested.property('content.length', 2);
  expect(links).to.have.nested.property('content[0]').that.includes.keys('type', 'uri', 'name', 'mimeType');
  expect(links).to.have.nested.property('content[0].type', 'resource_link');
  expect(text).to.have.nested.property('resources[0]').that.includes.keys('uri', 'mimeType', 'text');
  expect(blob).to.have.nested.property('content[0]').that.includes({ type: 'resource' });
  expect(blob).to.have.nested.property('content[0].sha256').that.matches(DIGEST);
  expect(annotated).to.have.nested.property('content[0].type', 'image');
  expect(weather).to.have.keys(['temperature', 'conditions', 'humidity']);
  expect(zip).to.have.nested.property('content[0]').that.includes({ type: 'resource', mimeType: 'application/gzip' });
  expect(long)
    .to.have.nested.property('text[0]')
    .that.matches(/complete/i);
  expect(refused).to.have.property('reason', 'invalid_arguments');
}

describe("today's servers, as they are (world.md §2.1, §2.2)", () => {
  it('the official reference server: every kind of content', async () => {
    await runTools(started([EVERYTHING, 'stdio'], { tools: KINDS, program: CALLS }), ({ status, value }) => {
      expect(status).to.equal(0);
      expectKinds(value);
    });
  });

  it('the official reference server over HTTP, whose session ends with the run', async () => {
    await overHttp(
      { args: () => [EVERYTHING, 'streamableHttp'], isReady: /listening on port/ },
      async (endpoint, said) => {
        const transport = { type: 'streamable_http', endpoint, allow_insecure_loopback: true };
        await runTools(
          { script: { steps: [] }, installation: { transport }, tools: KINDS, program: CALLS },
          ({ status, value }) => {
            expect(status).to.equal(0);
            expectKinds(value);
          },
        );
        await until('the end of the session', () => (/session termination request/.test(said()) ? true : undefined));
      },
    );
  });

  it('an image comes with its bytes where the host wants them, within the bytes of a result', async () => {
    const inline = mapped({ image: 'get-tiny-image' }, { content: 'inline' });
    await runTools(
      started([EVERYTHING, 'stdio'], { tools: inline, program: '(get-in (tool/image {}) [:value "content" 0])' }),
      ({ value }) => {
        const { data, bytes } = Object(value);
        expect(Buffer.from(String(data), 'base64').length).to.equal(bytes);
      },
    );
    await runTools(
      started([EVERYTHING, 'stdio'], {
        tools: inline,
        config: { max_result_bytes: 1000 },
        program: '(tool/image {})',
      }),
      ({ value }) => {
        expect(value).to.deep.include({ reason: 'invalid_result', details: 'mcp_response_exceeded' });
      },
    );
  });

  it('the revision that was agreed on is in the snapshot, and the newest alone can be asked for', async () => {
    await runTools(
      started([EVERYTHING, 'stdio'], {
        tools: mapped({ weather: 'get-structured-content' }),
        program: '(tool/weather {:location "Chicago"})',
        argv: ['run', 'svc.json', '--trace-dir', '.'],
      }),
      ({ envelope }, room) => {
        const trace = room.text(`${String(envelope['run_ref'])}.jsonl`);
        expect(trace).to.include('"protocol":"mcp-2025-11-25"');
        // What stands beside the structured content.
        expect(trace).to.include('"dropped_blocks":1');
      },
    );
    await runTools(
      started([EVERYTHING, 'stdio'], { tools: mapped({ echo: 'echo' }), installation: { revisions: '2026-07-28' } }),
      ({ envelope }) => {
        expect(envelope['error']).to.deep.include({ code: 'provider_protocol_version_unsupported' });
      },
    );
  });

  it('the official server of files: reads, writes, and failures in its own words', async () => {
    const directory = makeWorkDirectory({ 'a.txt': 'first' });
    try {
      const root = realpathSync(directory);
      const path = (name: string): string => JSON.stringify(join(root, name));
      await runTools(
        started([FILES, root], {
          tools: {
            ...mapped({ 'read-file': 'read_text_file' }),
            ...mapped({ 'write-file': 'write_file' }, { effect: 'write' }),
          },
          config: { allow: ['read-file', 'write-file'] },
          program: `[(tool/read-file {:path ${path('a.txt')}}) (tool/write-file {:path ${path('b.txt')} :content "second"}) (tool/read-file {:path "/etc/hostname"})]`,
        }),
        ({ value }) => {
          expect(Object(value)[0]).to.have.nested.property('value.content', 'first');
          expect(Object(value)[1]).to.deep.include({ status: 'ok' });
          expect(readFileSync(join(root, 'b.txt'), 'utf8')).to.equal('second');
          expect(Object(value)[2]).to.deep.include({ reason: 'domain_error' });
          expect(Object(value)[2].details).to.match(/denied|outside/i);
        },
      );
    } finally {
      removeWorkDirectory(directory);
    }
  });

  it('the official memory: what is written is found again', async () => {
    const directory = makeWorkDirectory({});
    try {
      const file = join(realpathSync(directory), 'memory.jsonl');
      await runTools(
        started([MEMORY], {
          transport: { args: [MEMORY], env: { MEMORY_FILE_PATH: { binding: 'file' } } },
          host: { credentials: { file: { literal: file } } },
          tools: {
            ...mapped({ 'create-entities': 'create_entities' }, { effect: 'write' }),
            ...mapped({ 'search-nodes': 'search_nodes' }),
          },
          config: { allow: ['create-entities', 'search-nodes'] },
          program: `(do (tool/create-entities {"entities" [{"name" "Oslo" "entityType" "city" "observations" ["rainy"]}]})
                        (get-in (tool/search-nodes {:query "rainy"}) [:value "entities" 0 "name"]))`,
        }),
        ({ value }) => {
          expect(value).to.equal('Oslo');
        },
      );
    } finally {
      removeWorkDirectory(directory);
    }
  });

  it('the official sequential thinking', async () => {
    await runTools(
      started([THINKING], {
        tools: mapped({ think: 'sequentialthinking' }),
        program:
          '(get-in (tool/think {:thought "a" :nextThoughtNeeded false :thoughtNumber 1 :totalThoughts 1}) [:value "thoughtHistoryLength"])',
      }),
      ({ value }) => {
        expect(value).to.equal(1);
      },
    );
  });
});
