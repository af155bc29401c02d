import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { DOCUMENTS, type DocumentName } from '../../../conformance/documents/base.ts';
import { caseGroups, type DocumentCase } from '../../../conformance/documents/document-case.ts';
import { editedDocuments, isDocumentName } from '../../../conformance/documents/edits.ts';
import { GOOD } from './loaders.ts';

/** What the build puts beside the program: one function for each document. */
const VALIDATORS: Readonly<Record<string, (document: unknown) => boolean>> = createRequire(import.meta.url)(
  join(import.meta.dirname, '../../../dist/schemas/validators.cjs'),
);

const SCHEMAS: Readonly<Record<DocumentName, string>> = {
  manifest: 'manifest',
  host: 'host',
  project: 'project',
  override: 'component-override',
};

function accepts(name: string, document: unknown): boolean {
  const validate = VALIDATORS[name];
  if (validate === undefined) throw new Error(`no validator of ${name}`);
  return validate(document);
}

/** Codes that a document's own table of fields gives, whatever else there is. */
const OF_THE_TABLE: ReadonlySet<string> = new Set([
  'project_schema_invalid',
  'host_schema_invalid',
  'required_property_missing',
  'schema_violation',
  'installed_limit_invalid',
  'installation_revision_missing',
]);

/** Cases whose rule a JSON Schema has no words for: bytes, an order, sums over a document, one value beside another. */
const BEYOND_SCHEMAS: ReadonlySet<string> = new Set([
  'a schema of 2049 bytes in 1025 characters',
  'dependencies out of order',
  'a component twice',
  'an unknown library',
  'a library twice',
  '129 components in all',
  '513 dependencies in all',
  'a selection twice',
  'a request timeout above the limit of the host',
  'a cost budget without a tariff',
  'a token budget without a promise of tokens',
  'an inspection without a trace',
  'sources of more than 2000000 bytes together',
]);

/** The documents of a case that are made by edits; those with files of their own are not looked at. */
function documentsOf({ edits, files, uses }: DocumentCase): ReadonlyMap<DocumentName, unknown> {
  const named = Object.keys(edits)
    .map((edit) => edit.split(' ')[0] ?? '')
    .filter(isDocumentName);
  const all = editedDocuments(
    edits,
    [...new Set([...uses, ...named])].filter((name) => name !== 'manifest'),
  );
  return Object.keys(files).some((path) => path.endsWith('.json')) ? new Map() : all;
}

describe('published schemas, as the build compiles them (documents.md §14.1)', () => {
  it('accept every document of every case that is right', () => {
    for (const { file, cases } of caseGroups()) {
      for (const one of cases.filter(({ expected }) => expected === null)) {
        for (const [name, document] of documentsOf(one))
          expect(accepts(SCHEMAS[name], document), `${file}: ${one.name}: ${name}`).to.equal(true);
      }
    }
    for (const [name, document] of Object.entries(DOCUMENTS))
      if (isDocumentName(name)) expect(accepts(SCHEMAS[name], document), name).to.equal(true);
    expect(accepts('gateway', JSON.parse(GOOD.gateway))).to.equal(true);
  });

  it('refuse a document of every case whose table refuses it, but for rules that no schema can say', () => {
    const accepted = new Set<string>();
    for (const { cases } of caseGroups()) {
      for (const one of cases) {
        const documents = documentsOf(one);
        if (one.expected === null || !OF_THE_TABLE.has(one.expected.code) || documents.size === 0) continue;
        if ([...documents].every(([name, document]) => accepts(SCHEMAS[name], document))) accepted.add(one.name);
      }
    }
    expect([...accepted].toSorted()).to.deep.equal([...BEYOND_SCHEMAS].toSorted());
  });
});
