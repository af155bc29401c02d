import { dirname, join } from 'node:path';
import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { applicationDocumentDiagnostic, ruleDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { examineJson, refuseText, type ExaminedText, type Loaded } from '../examined-text.ts';
import { check } from '../fields/check.ts';
import { freeObject } from '../fields/shape.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { violation } from '../fields/violation.ts';
import { safePointer, type DocumentFault } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import { CASES, type CaseDocument, type Expected } from './fields.ts';
import { compileExpectedSchema, type ExpectedSchema } from './expected-schema.ts';

/** One case of an application's tests, with what it names. */
export interface TestCase {
  readonly name: string;
  /** The file that holds it, absolute. */
  readonly file: string;
  /** Where in that file: nothing, or its index in the list. */
  readonly at: readonly string[];
  /** Null: the input that the application declares. */
  readonly input: JsonObject | null;
  /** Fixtures, or the replay host document that names them; absolute. Null: the project's own host. */
  readonly fixtures: string | null;
  readonly isLive: boolean;
  readonly expect: Expected;
  /** Of `expect.schema`; null without. */
  readonly schema: ExpectedSchema | null;
  readonly repeat: number;
  readonly model: string | null;
  readonly tags: readonly string[];
}

/** Where the cases of an application are looked for. */
export interface CaseSources {
  /** Of the project or the manifest; absolute. */
  readonly directory: string;
  /** What the project says, folders or files; null: the folder `tests`, where there is one. */
  readonly tests: readonly string[] | null;
}

/** Names in a folder, sorted; null where it is none, or cannot be read. */
export type ListFolder = (path: string) => Promise<readonly string[] | null>;

/** How fixtures that are missing are judged: while they are recorded they need not be there. */
export type FixtureNeed = 'needed' | 'recorded';

/**
 * Loads all cases, or finds the faults of all their files. A file that a case names as its input, its fixtures or its
 * host document is none of cases, whatever its folder.
 */
export async function loadCases(
  reader: DocumentReader,
  { directory, tests }: CaseSources,
  listFolder: ListFolder,
  need: FixtureNeed = 'needed',
): Promise<Loaded<readonly TestCase[]>> {
  const found: string[] = [];
  for (const named of tests ?? ['tests']) {
    const path = join(directory, named);
    const names = await listFolder(path);
    if (names === null && tests === null) continue;
    found.push(...(names === null ? [path] : caseFiles(path, names)));
  }
  const files: CaseFile[] = [];
  for (const path of new Set(found)) files.push(await readCaseFile(reader, path, need));
  // One that names itself is a mistake, and not silently no file of cases.
  const named = new Set(files.flatMap(({ names, text }) => names.filter((name) => name !== text.path)));
  const judged = withoutDuplicates(files.filter(({ text }) => text.path === null || !named.has(text.path)));
  const texts = judged.flatMap((file) => [file.text, ...file.others]);
  const [first] = texts.flatMap(({ faults }) => faults);
  if (first !== undefined) return { ...refuseText({ ...emptyText, faults: [first] }), texts };
  return { ok: true, value: judged.flatMap(({ cases }) => cases) };
}

/** The replay host document of fixtures, which `--record` writes beside them. */
export function replayHostPath(fixtures: string): string {
  return fixtures.replace(/\.jsonl$/, '').concat('.svc-host.json');
}

const emptyText: ExaminedText = { file: '', path: null, bytes: new Uint8Array(), root: null, faults: [] };

function caseFiles(folder: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).map((name) => join(folder, name));
}

interface CaseFile {
  readonly text: ExaminedText;
  /** Inputs with faults of their own. */
  readonly others: readonly ExaminedText[];
  readonly cases: readonly TestCase[];
  /** Files that its cases name; absolute. */
  readonly names: readonly string[];
}

async function readCaseFile(reader: DocumentReader, path: string, need: FixtureNeed): Promise<CaseFile> {
  const read = await reader.readNamed(path, MAX_BYTES.cases);
  const nothing = { others: [], cases: [], names: [] };
  if (!read.ok) {
    const fault: LocatedFault = {
      diagnostic: diagnostic('project_schema_invalid', { path: '/tests' }),
      at: [],
      problem: read.fault === 'missing' ? 'there is no such file of cases' : 'the file of cases cannot be read safely',
      remedy: 'correct "tests" of the project',
    };
    return { text: { ...emptyText, file: path, path, faults: [fault] }, ...nothing };
  }
  const named = { file: path, path: read.file.path, bytes: read.file.bytes };
  const examined = examineJson(named, MAX_BYTES.cases, documentDiagnostic);
  if (!examined.ok) return { text: examined.text, ...nothing };
  const { value } = examined.document;
  const checked = check(CASES, value);
  const names = namesOf(read.file.directory, value);
  if (checked.status !== 'valid') {
    const faults = tableFaults(checked, (broken) => ruleDiagnostic('project_schema_invalid', 'cases', broken));
    return { text: { ...examined.text, faults }, ...nothing, names };
  }
  const documents = listedCases(checked.value);
  const isList = Array.isArray(value);
  const faults: LocatedFault[] = [];
  const others: ExaminedText[] = [];
  const cases: TestCase[] = [];
  for (const [index, document] of documents.entries()) {
    const at = isList ? [String(index)] : [];
    const loaded = await loadCase(reader, { document, at, file: read.file.path, need });
    faults.push(...loaded.faults);
    others.push(...loaded.others);
    cases.push(loaded.value);
  }
  return { text: { ...examined.text, faults }, others, cases, names };
}

function listedCases(value: CaseDocument | readonly CaseDocument[]): readonly CaseDocument[] {
  return isList(value) ? value : [value];
}

function isList(value: CaseDocument | readonly CaseDocument[]): value is readonly CaseDocument[] {
  return Array.isArray(value);
}

/** Also of cases that have faults. */
function namesOf(directory: string, value: JsonValue): readonly string[] {
  const documents = Array.isArray(value) ? value : [value];
  return documents.filter(isJsonObject).flatMap((document: JsonObject) => {
    const [input, fixtures] = ['input_file', 'fixtures'].map((key) => document.get(key));
    return [
      ...(typeof input === 'string' ? [join(directory, input)] : []),
      ...(typeof fixtures === 'string' ? [join(directory, fixtures), replayHostPath(join(directory, fixtures))] : []),
    ];
  });
}

interface LoadedCase {
  readonly value: TestCase;
  readonly faults: readonly LocatedFault[];
  readonly others: readonly ExaminedText[];
}

async function loadCase(
  reader: DocumentReader,
  {
    document,
    at,
    file,
    need,
  }: {
    readonly document: CaseDocument;
    readonly at: readonly string[];
    readonly file: string;
    readonly need: FixtureNeed;
  },
): Promise<LoadedCase> {
  const { name, live = false, expect, repeat = 1, model = null, tags = [] } = document;
  const directory = dirname(file);
  const faults: LocatedFault[] = exclusions(document).map((fault) => faultAt(at, fault));
  const others: ExaminedText[] = [];
  let input = document.input ?? null;
  if (document.input_file !== undefined) {
    const caseInput = await readInput(reader, join(directory, document.input_file));
    if ('value' in caseInput) input = caseInput.value;
    else if (caseInput.text === null) faults.push(faultAt(at, missing('input_file', caseInput.isMissing)));
    else others.push(caseInput.text);
  }
  const fixtures = document.fixtures === undefined ? null : join(directory, document.fixtures);
  if (fixtures !== null && need === 'needed') {
    const read = await reader.readNamed(fixtures, 0);
    if (!read.ok) faults.push(faultAt(at, missing('fixtures', read.fault === 'missing')));
  }
  const schema = expect.schema === undefined ? null : compileExpectedSchema(expect.schema);
  if (schema?.ok === false)
    faults.push(
      ...schema.faults.map(({ path, problem, remedy }) =>
        faultAt(at, { path: ['expect', 'schema', ...path], problem, remedy }),
      ),
    );
  return {
    value: {
      name,
      file,
      at,
      input,
      fixtures,
      isLive: live,
      expect,
      schema: schema?.ok === true ? schema.schema : null,
      repeat,
      model,
      tags,
    },
    faults,
    others,
  };
}

interface CaseFault {
  /** From the case. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly remedy?: string | undefined;
}

function faultAt(at: readonly string[], { path, problem, remedy }: CaseFault): LocatedFault {
  const place = [...at, ...path];
  return {
    diagnostic: ruleDiagnostic('project_schema_invalid', 'cases', violation(place, 'schema')),
    at: place,
    problem,
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** A fault at a member of a case that was loaded, reported with the text of its file. */
export async function refuseCase(
  reader: DocumentReader,
  { file, at }: Pick<TestCase, 'file' | 'at'>,
  fault: CaseFault,
): Promise<Loaded<never>> {
  const read = await reader.readNamed(file, MAX_BYTES.cases);
  const text = read.ok
    ? examineJson({ file, path: file, bytes: read.file.bytes }, MAX_BYTES.cases, documentDiagnostic).text
    : emptyText;
  return refuseText({ ...text, faults: [faultAt(at, fault)] });
}

function missing(member: 'input_file' | 'fixtures', isMissing: boolean): CaseFault {
  return {
    path: [member],
    problem: isMissing ? 'there is no such file' : 'the file cannot be read safely',
    remedy:
      member === 'fixtures' && isMissing
        ? 'record it with svc test --record, or correct the path, which starts at the folder of this file'
        : 'correct the path, which starts at the folder of this file',
  };
}

/** Members that exclude each other. */
function exclusions({ input, input_file, fixtures, live, expect }: CaseDocument): readonly CaseFault[] {
  const faults: CaseFault[] = [];
  const beside = 'the member may not stand beside the other';
  if (input !== undefined && input_file !== undefined)
    faults.push({ path: ['input_file'], problem: beside, remedy: 'keep input or input_file' });
  if (fixtures !== undefined && live === true)
    faults.push({ path: ['live'], problem: beside, remedy: 'keep fixtures or live' });
  if (expect.error !== undefined) {
    for (const member of ['value', 'matches', 'schema'] as const) {
      if (expect[member] === undefined) continue;
      faults.push({
        path: ['expect', member],
        problem: 'a run that ends with an error has no value',
        remedy: `keep error or ${member}`,
      });
    }
  }
  return faults;
}

/** A name is used once in all files: the command line and reports name cases by it. */
function withoutDuplicates(files: readonly CaseFile[]): readonly CaseFile[] {
  const seen = new Map<string, string>();
  return files.map((file) => {
    const repeated = file.cases.flatMap(({ name, at, file: path }): readonly LocatedFault[] => {
      const before = seen.get(name);
      seen.set(name, before ?? path);
      if (before === undefined) return [];
      const problem = `the name ${JSON.stringify(name)} is that of another case${before === path ? '' : `, in ${before}`}`;
      return [faultAt(at, { path: ['name'], problem, remedy: 'give each case a name of its own' })];
    });
    return { ...file, text: { ...file.text, faults: [...file.text.faults, ...repeated] } };
  });
}

type CaseInput = { readonly value: JsonObject } | { readonly text: ExaminedText | null; readonly isMissing: boolean };

async function readInput(reader: DocumentReader, path: string): Promise<CaseInput> {
  const read = await reader.readNamed(path, MAX_BYTES.input);
  if (!read.ok) return { text: null, isMissing: read.fault === 'missing' };
  const named = { file: path, path: read.file.path, bytes: read.file.bytes };
  const examined = examineJson(named, MAX_BYTES.input, (fault) =>
    applicationDocumentDiagnostic('input', freeObject, fault),
  );
  if (!examined.ok) return { text: examined.text, isMissing: false };
  const { value } = examined.document;
  if (isJsonObject(value)) return { value };
  const fault = {
    diagnostic: diagnostic('input_invalid', { source: fixedSource('external_input'), path: '' }),
    at: [],
    problem: 'an input is an object',
  };
  return { text: { ...examined.text, faults: [fault] }, isMissing: false };
}

/** The bytes of a file of cases are at fault. */
function documentDiagnostic(fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return diagnostic('project_schema_invalid', { message: jsonFaultMessage('cases', fault.rule) });
    case 'limit':
      return diagnostic('project_schema_invalid', {
        message: documentLimitMessage('cases', fault.limit, fault.unit),
      });
    case 'duplicate':
      return diagnostic('project_schema_invalid', {
        message: schemaRuleMessage('cases', 'duplicate_property'),
        path: safePointer(CASES, fault.pointer),
      });
  }
}
