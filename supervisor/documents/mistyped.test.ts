import { expect } from 'chai';
import { nearestNames } from '../../contract/names/nearest.ts';
import type { Shape } from './fields/shape.ts';
import { TABLES, faultsOf, mistypedDocuments, samplesOf, type MistypedDocument } from './testing/mistyped-documents.ts';

/** What is wrong with what a person reads of it; null: nothing. */
function complaint(shape: Shape, { above, name, typed, kind, names, document }: MistypedDocument): string | null {
  const [fault] = faultsOf(shape, document);
  if (fault === undefined) return 'accepted';
  const [nearest] = nearestNames(typed, names);
  const at = fault.at.join('/');
  // One that is near none may be reported as the one that is missing.
  if (nearest === undefined && fault.member === 'missing' && at === [...above, name].join('/')) return null;
  if (at !== (kind === 'member' ? [...above, typed] : above).join('/')) return `at ${at}: ${fault.remedy ?? ''}`;
  const wanted = nearest === undefined ? 'write ' : `did you mean ${nearest}?`;
  return fault.remedy?.includes(wanted) === true ? null : (fault.remedy ?? 'nothing');
}

describe('one mistyped name in a document', () => {
  for (const [title, shape] of Object.entries(TABLES)) {
    it(`is refused at its place, with the nearest one: ${title}`, () => {
      for (const sample of samplesOf(shape)) expect(faultsOf(shape, sample)).to.deep.equal([]);
      const documents = mistypedDocuments(shape);
      const complaints = documents.flatMap((one) => {
        const found = complaint(shape, one);
        return found === null ? [] : [`${one.above.join('/')} ${one.name} -> ${one.typed}: ${found}`];
      });
      expect(complaints).to.deep.equal([]);
      expect(documents.length).to.be.greaterThan(100);
    });
  }
});
