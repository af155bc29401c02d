import { expect } from 'chai';
import type { ExplainedFault } from '../../../contract/diagnostics/explanation.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadHost } from '../../documents/host/load.ts';
import type { AlternateInput } from '../../documents/input/alternate.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { loadExplainedApplication } from './explained.ts';

type Lines = readonly string[];

const GOOD: Lines = [
  '{',
  '  "version": 1,',
  '  "input": {"value": {}},',
  '  "workflow": {"components": [], "entry": "a/b"}',
];

interface Documents {
  readonly manifest: Lines;
  readonly host?: Lines;
  readonly files?: Readonly<Record<string, Lines>>;
  readonly input?: AlternateInput;
}

const LIBRARIES = new Map(
  ['llm', 'result'].map((id) => [id, { id, source: new TextEncoder().encode(`(ns ${id})`), dependencies: [] }]),
);

/** What people are told of `/desk/app/svc.json`, refused up to its compiler, from `/desk`. */
async function explained({ manifest, host, files = {}, input }: Documents): Promise<readonly ExplainedFault[]> {
  const texts = { 'svc.json': manifest, ...(host === undefined ? {} : { 'host.json': host }), ...files };
  const reader = createDocumentReader(
    memoryFileSystem(
      Object.fromEntries(Object.entries(texts).map(([name, lines]) => [`/desk/app/${name}`, lines.join('\n')])),
    ),
    '/desk',
  );
  const hostName = host === undefined ? null : ({ kind: 'named', path: 'app/host.json' } as const);
  const loadedHost = hostName === null ? null : await loadHost(reader, hostName);
  const refused = await loadExplainedApplication({
    reader,
    workingDirectory: '/desk',
    manifest: { kind: 'named', path: 'app/svc.json' },
    host: loadedHost?.ok === true ? loadedHost.value : null,
    refusedHost: loadedHost?.ok === false ? loadedHost : null,
    libraries: LIBRARIES,
    input: input ?? null,
    override: null,
    identityFixed: false,
    inspectionCapture: false,
    trustDomain: 'test',
    explainsPrograms: false,
    readsHost: true,
    compiler: async () => {
      throw new Error('nothing is compiled');
    },
    now: () => 0,
  });
  if (refused.ok) throw new Error('nothing is refused');
  return refused.advice?.faults?.faults ?? [];
}

function text({ place, problem, remedy }: ExplainedFault): string {
  const where =
    place === null
      ? '-'
      : `${place.file}:${String(place.line)}:${String(place.column)}${place.within === null ? '' : ` ${place.within}`}`;
  return [where, problem ?? '-', remedy ?? '-'].join(' | ');
}

const explainTexts = async (documents: Documents): Promise<readonly string[]> => (await explained(documents)).map(text);

describe('what people are told of a refused document (documents.md §14)', () => {
  it('is the unknown key, and the name near it', async () => {
    const [fault] = await explained({ manifest: [...GOOD, '  ,"labls": {}', '}'] });
    expect(fault === undefined ? '' : text(fault)).to.equal(
      'svc.json:5:4 | the member is unknown here | did you mean labels?',
    );
    expect(fault?.place).to.deep.include({
      opens: 'app/svc.json',
      excerpt: { text: '"labls"', length: 7, skipped: 3 },
    });
  });

  it('is the key of a wrong value, below real keys that the pointer hides', async () => {
    expect(
      await explainTexts({ manifest: [...GOOD, '  ,"missions": {"first": {},', '    "second": {"data": []}}', '}'] }),
    ).to.deep.equal(['svc.json:6:16 | an object is wanted here | write an object']);
  });

  it('is what stands around a missing key, and what to add', async () => {
    expect(
      await explainTexts({
        manifest: ['{', '  "version": 1,', '  "input": {"value": {}},', '  "workflow": {"components": []}', '}'],
      }),
    ).to.deep.equal([
      'svc.json:4:3 | a required member is missing | add "entry": namespace/function, such as main/run, in lowercase',
    ]);
  });

  it('is one of few allowed values, the near one if there is one', async () => {
    expect(
      await explainTexts({
        manifest: [...GOOD, '  ,"events": {"policy": "privat"}, "labels": {"tags": {"suite": "all"}}', '}'],
      }),
    ).to.deep.equal([
      'svc.json:5:56 | the value is none of "unit", "integration", "e2e", "conformance", "privacy" | write one of these',
      'svc.json:5:15 /events/policy | the value is none of "normal", "private" | did you mean private?',
    ]);
  });

  it('counts code points', async () => {
    expect(await explainTexts({ manifest: [...GOOD, '  ,"$schema": "😀é", "x": 1', '}'] })).to.satisfy(
      ([first = '']: Lines) => first.startsWith('svc.json:5:21 '),
    );
  });

  it('is the byte at which the text stops being JSON, without its text', async () => {
    const [fault] = await explained({ manifest: ['{', '  "a": tru', '}'] });
    expect(fault?.place).to.deep.include({ line: 2, column: 8, excerpt: null });
    expect(fault?.remedy).to.include('trailing commas');
  });

  it('lists independent faults in the order of the document, each once, and says how many it leaves out', async () => {
    const manifest = [
      '{',
      '"version": 2,',
      '"input": {"value": {}},',
      '"workflow": {"components": [{"id": 1}], "entry": 5},',
      '"labls": 1',
      '}',
    ];
    const [first = '', ...further] = await explainTexts({ manifest });
    expect(first).to.match(/^svc\.json:4:/u);
    expect(further.map((one) => one.split(' | ')[0])).to.deep.equal([
      'svc.json:2:1 /version',
      'svc.json:4:29 /workflow/components/0/path',
      'svc.json:4:41 /workflow/entry',
      'svc.json:5:1',
    ]);
    const many = await explained({
      manifest: [...GOOD.slice(0, 3), `"workflow": {"entry": "a/b", "components": [${'1,'.repeat(90_000)}1]}`, '}'],
    });
    expect(many).to.have.lengthOf(8);
  });

  it('goes on behind the table of a manifest that has no fault there', async () => {
    const manifest = [
      '{',
      '  "version": 1, "input": {"value": {}},',
      '  "workflow": {"components": [',
      '    {"library": "lllm"},',
      '    {"id": "a", "path": "gone.clj"},',
      '    {"id": "a", "path": "a.clj", "dependencies": ["resul"]}], "entry": "a/b"},',
      '  "missions": {"m": {"providers": ["toosl"]}},',
      '  "providers": {"mission": [{"name": "tools"}]},',
      '  "limits": {"run_duration_ms": 2592000000, "llm_total_tokens": 5}',
      '}',
    ];
    expect(await explainTexts({ manifest, files: { 'a.clj': ['(ns a)'] } })).to.deep.equal([
      'svc.json:6:6 | - | list each library and each id once in one environment',
      'svc.json:4:6 | the application document is invalid: a library is unknown | did you mean llm?',
      'svc.json:5:17 | a referenced file is missing or not a safely readable regular file | create the file or correct its path; it is relative to the folder of the document that names it',
      'svc.json:7:36 /missions/*/providers | a mission names a provider that the application does not select: toosl | did you mean tools?',
      'svc.json:8:30 | the provider is not installed in the host document | no host document is given: name one with --host-config, or as host in a project',
      'svc.json:9:14 /limits/run_duration_ms | limit run_duration_ms: 2592000000 requested, 1800000 installed at most | ask for at most 1800000, which is the default ceiling, or raise limits.run_duration_ms in the host document',
      'svc.json:9:45 /limits/llm_total_tokens | limit llm_total_tokens: 5 requested, but the host does not enable it | set limits.llm_total_tokens in the host document, or take it out here; it is off by default',
    ]);
  });

  it('is a discriminator that is missing once, where it stands mistyped', async () => {
    const tool =
      '{"source": "mcp", "installation_revision": "r", "transport": {"type": "stdio", "command": "x"}, "tools": {"t": {"as": "t", "efect": "read"}}}';
    expect(await explainTexts({ manifest: [...GOOD, '}'], host: [`{"install": {"a": ${tool}}}`] })).to.deep.equal([
      'svc-host.json:1:142 | a required member is missing; an unknown member has a similar name | did you mean effect?',
    ]);
  });

  it('is of two members that exclude each other, which to keep', async () => {
    expect(
      await explainTexts({
        manifest: [
          '{"version": 1, "workflow": {"components": [], "entry": "a/b"},',
          '"input": {"value": {}, "path": "in.json"}}',
        ],
      }),
    ).to.deep.equal(['svc.json:2:24 | the member may not stand beside the other | keep value or path']);
  });

  it('is a limit that the host document alone sets', async () => {
    expect(
      await explainTexts({ manifest: [...GOOD, '  ,"limits": {"provider_cleanup_timeout_ms": 1}', '}'] }),
    ).to.deep.equal(['svc.json:5:15 | only the host document sets this limit | set it in limits of the host document']);
  });

  it('is every fault of what a manifest names, even where its form is broken elsewhere', async () => {
    const faults = await explainTexts({
      manifest: [
        '{"version": 2, "workflow": {"components": [{"id": "a", "path": "gone.clj"}], "entry": "run"},',
        '"input": {"value": {}}, "contracts": {"result_schema": {"path": "r.json"}}}',
      ],
      files: { 'r.json': ['{"type": "object", "if": {}}'] },
    });
    expect(faults.map((fault) => fault.split(' | ')[0])).to.deep.equal([
      'svc.json:1:78',
      'svc.json:1:2 /version',
      'svc.json:1:56',
      'r.json:1:20',
    ]);
  });

  it('is the key that stands twice, and why a text is no JSON', async () => {
    expect(await explainTexts({ manifest: ['{"version": 1,', '"version": 1}'] })).to.deep.equal([
      'svc.json:2:1 | the object has this key twice | keep one of the two',
    ]);
    expect(await explainTexts({ manifest: ['{"version": 1,}'] })).to.deep.equal([
      'svc.json:1:14 | a comma stands behind the last member or item | correct the JSON here; comments, trailing commas and single quotes are not JSON',
    ]);
  });

  it('is every source that an installation without one may have, and what a model selector looks like', async () => {
    const host = [
      '{"credentials": {"k": {"env": "K"}}, "install": {',
      '  "a": {"installation_revision": "r"},',
      '  "b": {"source": "llm", "installation_revision": "r", "credential": "k", "structured_output_mode": "unsupported", "usage_guarantees": {"tokens": false, "cost_currency": null}}',
      '}}',
    ];
    const [model, source] = await explainTexts({ manifest: [...GOOD, '}'], host });
    expect(source).to.match(
      /^svc-host\.json:2:3 [^|]+\| a required member is missing \| add "source": one of "llm", "llm_replay", "mcp", /u,
    );
    expect(model).to.match(
      /^svc-host\.json:3:3 \| a required member is missing \| add "model": a model selector such as "openai:/u,
    );
  });

  it('is every fault of a host document and of the manifest beside it', async () => {
    const host = [
      '{"install": {',
      '  "a": {"source": "mcp", "installation_revision": "r", "tools": {"t": {"as": "t", "effect": "raed"}},',
      '        "transport": {"type": "streamable_http", "endpoint": "http://x/"}},',
      '  "b": {"source": "llm_replay", "fixtures": "f"}',
      '}, "limits": {"parallel_timeout_ms": 0}}',
    ];
    const faults = await explainTexts({ manifest: [...GOOD, ', "labls": 1}'], host });
    expect(faults).to.deep.equal([
      'svc-host.json:4:3 | - | add "installation_revision", a name such as "r1", to this installation',
      'svc-host.json:2:83 /install/*/tools | the value is none of "read", "write", "annotations" | did you mean read?',
      'svc-host.json:3:50 | an installed plain http endpoint requires allow_insecure_loopback | write https, or add "allow_insecure_loopback": true for a server on 127.0.0.1 or [::1]',
      'svc-host.json:5:15 /limits/parallel_timeout_ms | limit parallel_timeout_ms must be between 1 and 2592000000 | write an integer from 1 to 2592000000',
      'svc.json:5:3 | the member is unknown here | did you mean labels?',
    ]);
  });

  it('is every fault of a contract', async () => {
    const contract = [
      '{"type": "object",',
      ' "properties": {"a": {"type": "string", "pattern": "x"},',
      '  "b": {"typ": "string"}}, "required": ["c"]}',
    ];
    expect(
      await explainTexts({
        manifest: [...GOOD, ', "contracts": {"input_schema": {"path": "in.json"}}}'],
        files: { 'in.json': contract },
      }),
    ).to.deep.equal([
      'in.json:2:41 | contracts have no keyword pattern; the keywords are type, title, description, properties, required, additionalProperties, items, enum, const, minimum, maximum, minLength, maxLength, minItems, maxItems, format | list the texts in enum, or bound them by minLength and maxLength and check the form in the workflow',
      'in.json:3:9 /properties/b | a required member is missing; an unknown member has a similar name | did you mean type?',
      'in.json:3:41 /required | a required name is not declared in properties | add it to properties, or take it from required',
    ]);
  });

  it('is every way in which an input misses its contract, but nothing of a private one', async () => {
    const contract = [
      '{"type": "object", "required": ["a", "d"], "properties": {"a": {"type": "integer", "minimum": 1, "maximum": 9}, "d": {"type": "boolean"},',
      ' "tier": {"type": "string", "enum": ["gold", "silver"]}}}',
    ];
    const manifest = [...GOOD, ', "contracts": {"input_schema": {"path": "in.json"}}}'];
    const files = { 'in.json': contract, 'given.json': ['{"a": 0, "tier": "golf",', ' "teir": 1}'] };
    expect(await explainTexts({ manifest, files, input: { path: 'given.json', dataClass: 'normal' } })).to.deep.equal([
      'input.json:1:2 | the number is below 1 | write an integer from 1 to 9',
      'input.json:1:1 /d | a required member is missing | add "d": a boolean',
      'input.json:1:10 /tier | the value is none of "gold", "silver" | did you mean gold?',
      'input.json:2:2 | the member is unknown here | did you mean tier?',
    ]);
    expect(await explainTexts({ manifest, files, input: { path: 'given.json', dataClass: 'private' } })).to.deep.equal(
      [],
    );
  });

  it('shows nothing of a value', async () => {
    const secret = 'zqxMARKxqz';
    const host = [
      '{"credentials": {"k": {"literal": 5, "x": "zqxMARKxqz"}}, "install": {"zqxMARKxqz": {"source": "zqxMARKxqz"}}}',
    ];
    expect(
      JSON.stringify(await explainTexts({ manifest: GOOD.with(1, `"version": "${secret}",`).concat('}'), host })),
    ).not.to.include(secret);
  });
});
