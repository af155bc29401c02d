import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain, plainFromJson } from '../../contract/json/plain.ts';
import { CASES } from './cases/fields.ts';
import { check } from './fields/check.ts';
import type { Shape } from './fields/shape.ts';
import { GATEWAY } from './gateway/fields.ts';
import { HOST } from './host/fields.ts';
import { MANIFEST } from './manifest/fields.ts';
import { OVERRIDE } from './override/fields.ts';
import { PROJECT } from './project/fields.ts';
import { publishedSchemas } from './published-schemas.ts';
import { DECISION, host, HTTP, INSPECTION, LLM, OAUTH, REPLAY, STDIO, TRACE } from './testing/hosts.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;

/**
 * Documents that use every field, and the table that loads each. A mission lists one provider only: that two differ is
 * published, but refused after the schema, with a code of its own.
 */
const CORPUS: Readonly<
  Record<keyof ReturnType<typeof publishedSchemas>, { readonly shape: Shape; readonly documents: readonly unknown[] }>
> = {
  manifest: {
    shape: MANIFEST,
    documents: [
      {
        $schema: 'x',
        version: 1,
        workflow: {
          components: [{ id: 'main', path: 'a/main.clj', dependencies: ['a', 'b'] }, { library: 'llm' }],
          entry: 'main/run!',
        },
        missions: { m: { components: [], data: { any: [1] }, providers: ['x'] } },
        input: { path: 'in.json' },
        contracts: {
          input_schema: { path: 'c.json' },
          result_schema: { path: 'c.json' },
          phase_return_schemas: { p: { path: 'c.json' } },
        },
        providers: { workflow: [{ name: 'a', config: { x: 1 } }], mission: [{ name: 'b' }] },
        limits: { run_duration_ms: 1, llm_total_tokens: 1 },
        events: { policy: 'private', run_id: 'r', trace_id: 't' },
        labels: {
          name: 'n',
          model: DIGEST,
          provider: 'p/q',
          tags: { environment: 'test', mode: 'agent', stage: 'started', suite: 'unit' },
        },
      },
    ],
  },
  tests: {
    shape: CASES,
    documents: [
      { name: 'a', expect: {} },
      [
        {
          $schema: 'x',
          name: 'b',
          input: { x: [1] },
          input_file: '../in.json',
          fixtures: 'f.jsonl',
          live: true,
          expect: {
            value: 1,
            matches: { a: 1 },
            schema: { type: 'object' },
            error: 'explicit_failure',
            program: '(fn [result run] true)',
            max_cost_usd: 0.5,
            max_turns: 3,
          },
          repeat: 2,
          model: 'm',
          tags: ['t'],
        },
      ],
    ],
  },
  project: {
    shape: PROJECT,
    documents: [
      {
        kind: 'svc-project',
        version: 1,
        application: { path: 'a/b' },
        host: { path: 'h.json', env_file: { path: '.env' } },
        artifacts: { root: '.svc', trace: true, inspection: true, result: false, envelope: true },
        viewer: { port: 0, open: true, repl: false, private: true },
        tests: 'tests',
      },
      { kind: 'svc-project', version: 1, application: { path: 'a' }, tests: ['tests', 'more/a.json'] },
    ],
  },
  host: {
    shape: HOST,
    documents: [
      host(
        {
          a: {
            ...LLM,
            wire: 'responses',
            params: { temperature: 0.5, top_p: 1, seed: 1, reasoning_effort: 'xhigh' },
            ceilings: { max_calls: 1 },
            reservation_tariff: { currency: 'USD', id: 't' },
          },
          b: REPLAY,
          c: { ...STDIO, snapshot_identity: { tool: 'x', field: 'f' } },
          d: {
            ...HTTP,
            transport: { ...HTTP.transport, auth: [{ scheme: 'api_key', binding: 'a', header: 'X-Key' }] },
          },
          e: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
          f: TRACE,
          g: INSPECTION,
          h: DECISION,
        },
        {
          credentials: { e: { env: 'E' }, f: { file: 'x' }, l: { literal: 'x' } },
          limits: { run_duration_ms: 5, local_preflight_timeout_ms: 100 },
          runtime: { stdio_launcher: '/x' },
        },
      ),
    ],
  },
  gateway: {
    shape: GATEWAY,
    documents: [
      {
        $schema: 'urn:svc:schema:gateway:1',
        version: 1,
        listen: { address: '::1', port: 1, path: '/mcp', allowed_origins: ['https://a.example'] },
        authentication: { bearer: { binding: 'b' } },
        host: { path: '../h.json' },
        admission: {
          max_inflight_requests: 1,
          max_concurrent_runs: 1,
          max_active_provider_calls: 1,
          max_waiting_provider_calls: 0,
        },
        artifacts: { root: 'r', trace: true },
        private_audit: { directory: 'd', max_file_bytes: 1024, max_retained_files: 2 },
        tools: [
          {
            name: 'T.1',
            title: 't',
            description: 'd',
            application: { manifest: 'm' },
            expected_application_content_digest: DIGEST,
            installation_config_pins: { a: DIGEST },
            provider_snapshot_pins: { 'workflow/a': DIGEST },
            allow_write: true,
          },
        ],
      },
    ],
  },
  'component-override': {
    shape: OVERRIDE,
    documents: [
      {
        target: { environment: 'mission', mission: 'm' },
        component_id: 'c',
        base_source_hash: DIGEST,
        source_hash: DIGEST,
        path: 'c.clj',
        provenance: {
          run_id: 'r',
          prompt_hash: DIGEST,
          authored_at: '2026-01-01T00:00:00Z',
          accept_widened_effect: false,
        },
      },
    ],
  },
};

/** Values that break some rule and satisfy another. */
const REPLACEMENTS: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  1,
  2,
  -1,
  1.5,
  65536,
  '',
  'a',
  'A b',
  'a/b',
  '../a',
  DIGEST,
  [],
  ['a'],
  {},
  { a: 1 },
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, child]) =>
      pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function replaced(value: unknown, [head, ...rest]: Path, replacement: unknown): unknown {
  if (head === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (index === head ? (replaced(item, rest, replacement) ?? null) : item));
  const record = Object(value);
  return { ...record, [head]: replaced(record[head], rest, replacement) };
}

describe('published schemas and loaders (documents.md §14.1)', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const schemas = publishedSchemas();
  for (const [name, { shape, documents }] of Object.entries(CORPUS)) {
    const schema = plainFromJson(Object(schemas)[name]);
    const validate = ajv.compile(Object(schema));
    const agree = (document: unknown) => {
      const value = jsonFromPlain(document === undefined ? null : JSON.parse(JSON.stringify(document)));
      if (value === undefined) throw new Error('a corpus holds JSON');
      expect(check(shape, value).status === 'valid', canonicalJson(value)).to.equal(validate(plainFromJson(value)));
    };

    it(`${name}: has its identity`, () => {
      expect(Object(schema)['$id']).to.equal(`urn:svc:schema:${name}:1`);
    });

    it(`${name}: both admit the corpus`, () => {
      for (const document of documents) {
        agree(document);
        expect(validate(document)).to.equal(true);
      }
    });

    it(`${name}: both judge alike after any one replacement`, () => {
      for (const document of documents) {
        for (const path of pathsOf(document)) {
          for (const replacement of REPLACEMENTS) agree(replaced(document, path, replacement));
        }
      }
    });

    it(`${name}: both judge alike after any two replacements`, () => {
      const changes = fc.tuple(
        fc.constantFrom(...documents),
        fc.nat(),
        fc.constantFrom(...REPLACEMENTS),
        fc.nat(),
        fc.constantFrom(...REPLACEMENTS),
      );
      fc.assert(
        fc.property(changes, ([document, first, one, second, two]) => {
          const paths = pathsOf(document);
          const changed = replaced(document, paths[first % paths.length] ?? [], one);
          const left = pathsOf(changed);
          agree(replaced(changed, left[second % left.length] ?? [], two));
        }),
        { numRuns: 300 },
      );
    });

    it(`${name}: both refuse another property in every object`, () => {
      for (const document of documents) {
        for (const path of pathsOf(document)) agree(replaced(document, [...path, 'secret_property'], 1));
      }
    });
  }
});
