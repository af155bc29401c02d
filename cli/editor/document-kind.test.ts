import { expect } from 'chai';
import { documentKind, type DocumentKind } from './document-kind.ts';

const CASES: readonly (readonly [name: string, text: string, kind: DocumentKind | null])[] = [
  ['svc.json', '', 'manifest'],
  ['a.svc.json', '{', 'manifest'],
  ['svc-project.json', '[]', 'project'],
  ['svc-host.test.json', '', 'host'],
  ['cases.json', '', 'tests'],
  ['package.json', '{"name": "a"}', null],
  ['any.json', '{"version": 1, "workflow": {}}', 'manifest'],
  ['any.json', '{"version": 1, "install": {}}', 'host'],
  ['any.json', '{"kind": "svc-project", "application": {}}', 'project'],
  ['svc.json', '{"$schema": "urn:svc:schema:gateway:1"}', 'gateway'],
  ['any.json', '{"$schema": "urn:svc:schema:unheard-of:1"}', null],
  ['any.json', '{"__proto__": 1, "version": 1}', null],
  ['any.json', '['.repeat(100_000), null],
];

describe('the kind of a document', () => {
  for (const [name, text, kind] of CASES)
    it(`of ${name} with ${text.slice(0, 40)} is ${String(kind)}`, () => {
      expect(documentKind(name, text)).to.equal(kind);
    });
});
