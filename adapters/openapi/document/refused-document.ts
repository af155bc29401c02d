/**
 * Why a document cannot be used, in words for people: a rule, and a place in the document at most. Thrown by what reads
 * one, and caught where the reading began.
 */
export class RefusedDocument extends Error {}

/** A JSON pointer within a document, cut so that it stays a line. */
export function placeOf(segments: readonly (string | number)[]): string {
  const pointer = segments.map((segment) => `/${String(segment).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
  return Array.from(pointer).slice(0, 160).join('').toWellFormed();
}
