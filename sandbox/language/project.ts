import { writeJson, type ProjectionFault } from '../runtime/json/write.ts';
import { Program } from './link/program.ts';

export type ProjectedValue =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Reasons of language.md §17 for what the boundary refuses. */
const REASONS: Readonly<Record<ProjectionFault['reason'], string>> = {
  collision: 'public_projection_collision',
  unwritable: 'projection_error',
  surrogate: 'invalid_java_string',
};

/** A final value as canonical JSON text (language.md §19). */
export function project(value: unknown): ProjectedValue {
  const projected = writeJson(value instanceof Program ? value.projection : value, 'result');
  if (projected.ok) return projected;
  return { ok: false, reason: REASONS[projected.fault.reason], message: projected.fault.message };
}
