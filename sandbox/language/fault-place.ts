import type { ByteSpan } from '../../contract/sandbox-protocol.ts';
import { CompileFailure } from './compile-failure.ts';
import { programPlaces, type CompiledProgram } from './compile.ts';
import type { Surroundings } from './analyser/surroundings.ts';
import type { LoadedComponent, Session } from './link/session.ts';
import { placesAt, type SourcePlace } from './emitter/places.ts';
import { byteSpan, positionsOf, type Positions } from './reader/positions.ts';
import { framesOf, type Frame } from './stack.ts';

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
}

export interface RunningProgram {
  readonly source: string;
  readonly compiled: CompiledProgram;
  readonly surroundings: Surroundings;
  readonly positions: Positions;
  /** The top-level form that was running, for errors whose stack does not tell; null after the last one. */
  readonly form: SourcePlace | null;
}

/** The places of an error by the stack of where it was raised (language.md §17). */
export function faultPlaces(session: Session, stack: string, program: RunningProgram): FaultPlaces {
  const frames = framesOf(stack);
  const { positions } = program;
  const inner = innermostForm(frames, program);
  const place = inner?.place ?? program.form;
  return {
    program: place === null ? null : textPlace(positions, place),
    component: componentPlace(session, frames.slice(0, inner?.index ?? frames.length)),
  };
}

function textPlace(positions: Positions, { start, end }: SourcePlace): TextPlace {
  return { span: byteSpan(positions, start, end), ...positions.lineAndColumn(start) };
}

/** Frames without a mark are those of functions that were about to refuse their arguments. */
function innermostForm(frames: readonly Frame[], program: RunningProgram): { readonly place: SourcePlace; readonly index: number } | null {
  const { name } = program.compiled;
  if (!frames.some(({ block }) => block === name)) return null;
  const places = placesAt(tableOf(program), frames);
  for (const [index, { block }] of frames.entries()) {
    const place = block === name ? places[index] : null;
    if (place !== null && place !== undefined) return { place, index };
  }
  return null;
}

/** A program is compiled again to learn its places: most never need them. */
function tableOf({ source, surroundings, compiled }: RunningProgram): string {
  try {
    return programPlaces(source, surroundings, compiled);
  } catch (thrown) {
    if (thrown instanceof CompileFailure || thrown instanceof RangeError) return '';
    throw thrown;
  }
}

/** A place in a component and the definition it is in. */
interface Raised {
  readonly component: LoadedComponent;
  readonly place: SourcePlace;
  readonly ref: string | null;
}

function componentPlace(session: Session, frames: readonly Frame[]): ComponentPlace | null {
  const raised = raisedIn(session, frames);
  const inner = raised.find(({ ref }) => ref !== null) ?? raised[0];
  if (inner === undefined) return null;
  const { component, place, ref } = inner;
  return { ...textPlace(positionsOf(component.source), place), component: component.id, ref };
}

function raisedIn(session: Session, frames: readonly Frame[]): Raised[] {
  const places = new Map([...new Set(frames.map(({ block }) => block))].map((block) => {
    const component = session.components.get(block.slice(0, Math.max(block.indexOf('@'), 0)));
    return [block, component === undefined ? null : { component, at: placesAt(component.places, frames) }];
  }));
  return frames.flatMap(({ block }, index) => {
    const found = places.get(block) ?? null;
    const place = found?.at[index] ?? null;
    return found === null || place === null ? [] : [{ component: found.component, place, ref: publicDefinitionAt(session, found.component, place.start) }];
  });
}

function publicDefinitionAt(session: Session, component: LoadedComponent, offset: number): string | null {
  for (const name of component.namespaces) {
    for (const { name: own, start, source, isPrivate } of session.namespaces.get(name)?.definitions.values() ?? []) {
      if (start <= offset && offset < start + source.length) return isPrivate ? null : `${name}/${own}`;
    }
  }
  return null;
}
