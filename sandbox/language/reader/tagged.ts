import { parseUuid } from '../../runtime/values/uuid.ts';
import { readInst } from './inst.ts';
import { isStringLiteral, type Syntax } from '../syntax.ts';

export type TaggedReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Reads the operand of `#inst` or `#uuid` (functions.md §19). */
export function readTagged(tag: 'inst' | 'uuid', operand: Syntax): TaggedReading {
  if (!isStringLiteral(operand)) return { ok: false, message: `#${tag} needs a string` };
  const value = tag === 'inst' ? readInst(operand.value) : parseUuid(operand.value);
  if (value === null)
    return { ok: false, message: tag === 'inst' ? 'Unrecognized date/time syntax' : 'Invalid UUID string' };
  return { ok: true, value };
}
