import type { ByteSpan, FaultFrame } from '../../contract/sandbox-protocol.ts';
import { CompileFailure } from './compile-failure.ts';
import { programPlaces, type CompiledProgram } from './compile.ts';
import type { AnalysisContext } from './analyser/surroundings.ts';
import type { LoadedComponent, Session } from './link/session.ts';
import { placesAt, type SourcePlace } from './emitter/places.ts';
import { byteSpan, positionsOf, type Positions } from './reader/positions.ts';
import { framesOf, type StackFrame } from './stack.ts';

/** Where in a text something is. */
export interface TextPlace {
  readonly span: ByteSpan;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** Where in a component an error was raised: in its innermost public definition (language.md §13, isolation). */
export interface ComponentPlace extends TextPlace {
  readonly component: string;
  /** Qualified name of that definition; null where all that ran was private. */
  readonly ref: string | null;
}

export interface FaultPlaces {
  /** The innermost form of the program. */
  readonly program: TextPlace | null;
  /** Where the program's form called into a component and the error was raised there. */
  readonly component: ComponentPlace | null;
  /** Every place of the stack once, innermost first, as far as it is reported. */
  readonly trail: readonly FaultFrame[];
  /** Text of the innermost form, of program or component; null where none is known. */
  readonly form: string | null;
}

export interface RunningProgram {
  readonly source: string;
  readonly compiled: CompiledProgram;
  readonly context: AnalysisContext;
  readonly positions: Positions;
  /** The top-level form that was running, for errors whose stack does not show it; null after the last one. */
  readonly form: SourcePlace | null;
}

/** The places of an error by the stack of where it was raised (language.md §17). */
export function faultPlaces(session: Session, stack: string, program: RunningProgram): FaultPlaces {
  const frames = framesOf(stack);
  const { positions } = program;
  const placed = placesOf(session, frames, program);
  const inner = placed.findIndex((one) => one?.component === null);
  const place = placed[inner]?.place ?? program.form;
  return {
    program: place === null ? null : textPlace(positions, place),
    component: componentPlace(session, inner < 0 ? placed : placed.slice(0, inner)),
    trail: trailOf(session, placed, program),
    form: formText(placed.find((one) => one !== null) ?? null, program),
  };
}

function textPlace(positions: Positions, { start, end }: SourcePlace): TextPlace {
  return { span: byteSpan(positions, start, end), ...positions.lineAndColumn(start) };
}

/** The place of a frame: in a component, or, where that is null, in the program. */
interface Placed {
  readonly component: LoadedComponent | null;
  readonly place: SourcePlace;
}

/**
 * By frame. Those without a mark are of functions that were about to refuse their arguments, or of an earlier program.
 */
function placesOf(
  session: Session,
  frames: readonly StackFrame[],
  program: RunningProgram,
): readonly (Placed | null)[] {
  const tables = new Map(
    [...new Set(frames.map(({ block }) => block))].map((block) => {
      const isProgram = block === program.compiled.name;
      const component = isProgram
        ? null
        : (session.components.get(block.slice(0, Math.max(block.indexOf('@'), 0))) ?? null);
      if (!isProgram && component === null) return [block, null];
      return [block, { component, at: placesAt(component?.places ?? tableOf(program), frames) }];
    }),
  );
  return frames.map(({ block }, index) => {
    const table = tables.get(block) ?? null;
    const place = table?.at[index] ?? null;
    return table === null || place === null ? null : { component: table.component, place };
  });
}

/** A program is compiled again to learn its places: most never need them. */
function tableOf({ source, context, compiled }: RunningProgram): string {
  try {
    return programPlaces(source, context, compiled);
  } catch (thrown) {
    if (thrown instanceof CompileFailure || thrown instanceof RangeError) return '';
    throw thrown;
  }
}

function formText(placed: Placed | null, { source, form }: RunningProgram): string | null {
  if (placed !== null) return (placed.component?.source ?? source).slice(placed.place.start, placed.place.end);
  return form === null ? null : source.slice(form.start, form.end);
}

/** In the innermost public definition; in the innermost private one where nothing public ran. */
function componentPlace(session: Session, placed: readonly (Placed | null)[]): ComponentPlace | null {
  const raised = placed.flatMap((one) => {
    if (one === null || one.component === null) return [];
    const holder = definitionAt(session, one.component, one.place.start);
    return [{ component: one.component, place: one.place, ref: holder?.isPrivate === false ? holder.ref : null }];
  });
  const inner = raised.find(({ ref }) => ref !== null) ?? raised[0];
  if (inner === undefined) return null;
  const { component, place, ref } = inner;
  return { ...textPlace(positionsOf(component.source), place), component: component.id, ref };
}

/** Places that a report reports: that of the fault and eight calls (contract/diagnostics/explanation.ts). */
const TRAIL_LENGTH = 9;

/** A function that calls itself is at the same place again and again: each is reported once. */
function trailOf(session: Session, placed: readonly (Placed | null)[], program: RunningProgram): FaultFrame[] {
  const known = new Set<string>();
  const trail: FaultFrame[] = [];
  for (const one of placed) {
    if (one === null || trail.length >= TRAIL_LENGTH) continue;
    const {
      component,
      place: { start, end },
    } = one;
    const key = `${component?.id ?? ''} ${start}`;
    if (known.has(key)) continue;
    known.add(key);
    const ref = component === null ? null : (definitionAt(session, component, start)?.ref ?? null);
    const positions = component === null ? program.positions : positionsOf(component.source);
    trail.push({ component: component?.id ?? null, ref, span: byteSpan(positions, start, end) });
  }
  return trail.length < TRAIL_LENGTH && !trail.some((frame) => frame.component === null)
    ? [...trail, ...formFrame(program)]
    : trail;
}

/** The form that was running, where the stack does not reach it, or the program has no code of its own. */
function formFrame({ positions, form }: RunningProgram): FaultFrame[] {
  return form === null ? [] : [{ component: null, ref: null, span: byteSpan(positions, form.start, form.end) }];
}

/** The definition of a component around an offset of its source; null outside of all. */
export function definitionAt(
  session: Session,
  component: LoadedComponent,
  offset: number,
): { readonly ref: string; readonly isPrivate: boolean } | null {
  for (const name of component.namespaces) {
    for (const { name: own, start, source, isPrivate } of session.namespaces.get(name)?.definitions.values() ?? []) {
      if (start <= offset && offset < start + source.length) return { ref: `${name}/${own}`, isPrivate };
    }
  }
  return null;
}
