/** The language: what a program may be and what it means; the forms come from the table that `doc` reads. */
import { formEntries } from '../../sandbox/language/link/form-docs.ts';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

/** The whole page. */
export function svcLispPage(): string {
  const forms = formEntries().map(({ name, shapes, doc }) => [code(name), shapes.map(code).join(', '), doc ?? '']);
  return fromTemplate('svc-lisp', { parts: { forms: table(['Form', 'How it stands', 'What it does'], forms) } });
}
