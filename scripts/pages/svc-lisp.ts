/** The language: what a program may be and what it means; names of the forms are from the table that `doc` reads. */
import { formEntries } from '../../sandbox/language/link/form-docs.ts';
import { code } from './tables.ts';
import { fromTemplate } from './template.ts';

/** The whole page. */
export function svcLispPage(): string {
  const forms = formEntries().map(({ name }) => code(name));
  return fromTemplate('svc-lisp', { parts: { forms: `${forms.join(', ')}.` } });
}
