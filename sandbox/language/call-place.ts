import { PLACE_TEXT_MAX, STACK_MAX, type CallPlace } from '../../contract/call-place.ts';
import { CompileFailure } from './compile-failure.ts';
import { piecePlaces, programPlaces } from './compile.ts';
import type { AnalysisContext } from './analyser/surroundings.ts';
import { placesAt, type SourcePlace } from './emitter/places.ts';
import { definitionAt, type RunningProgram } from './fault-place.ts';
import type { CodePiece } from './link/code-block.ts';
import type { LoadedComponent, Session } from './link/session.ts';
import { positionsOf } from './reader/positions.ts';
import { framesOf, type StackFrame } from './stack.ts';

/** The program that runs, or the parallel branch of one, whose code came in pieces with its values. */
export type RunningCode =
  | {
      readonly kind: 'program';
      readonly program: RunningProgram;
      /** Its form at the top that runs; null after the last one. */
      readonly form: () => SourcePlace | null;
    }
  | { readonly kind: 'branch'; readonly pieces: ReadonlyMap<string, CodePiece> };

/** A text, and where in the code that was made of it what is. */
interface PlacedText {
  readonly component: LoadedComponent | null;
  readonly source: string;
  readonly table: string;
}

/**
 * Where the capability call is that is being made, and what led there: a JSON text of places, innermost first, as
 * contract/call-place.ts reads it. `branchOf`: source of the program whose parallel branch this is.
 */
export function callPlaces(session: Session, running: RunningCode, branchOf: string | null): string {
  const frames = framesOf(new Error().stack ?? '');
  const texts = new Map([...new Set(frames.map(({ block }) => block))].map((block) => [block, textOf(block)]));
  const places = new Map<string, CallPlace>();
  const add = (component: LoadedComponent | null, source: string, place: SourcePlace): void => {
    // A function that calls itself is at the same place again and again.
    const key = `${component?.id ?? ''} ${place.start}`;
    if (places.size <= STACK_MAX && !places.has(key)) places.set(key, callPlace(session, component, source, place));
  };
  const at = new Map([...texts].map(([block, text]) => [block, placesByFrame(text, frames)]));
  for (const frame of frames) {
    const text = texts.get(frame.block) ?? null;
    const place = at.get(frame.block)?.get(frame) ?? null;
    if (text !== null && place !== null) add(text.component, text.source, place);
  }
  const form = runningForm(running);
  if (form !== null && [...places.values()].every(({ component }) => component !== null))
    add(null, form.source, form.place);
  return JSON.stringify([...places.values()]);

  function textOf(block: string): PlacedText | null {
    const component = session.components.get(block.slice(0, Math.max(block.indexOf('@'), 0))) ?? null;
    if (component !== null) return { component, source: component.source, table: component.places };
    if (running.kind === 'program') {
      const { source, context, compiled } = running.program;
      if (block !== compiled.name) return null;
      return { component, source, table: tableOf(() => programPlaces(source, context, compiled)) };
    }
    const piece = running.pieces.get(block);
    if (piece === undefined || branchOf === null) return null;
    return { component, source: branchOf, table: tableOf(() => piecePlaces(branchOf, whereMade(session), piece)) };
  }
}

function placesByFrame(text: PlacedText | null, frames: readonly StackFrame[]): Map<StackFrame, SourcePlace | null> {
  const at = text === null ? [] : placesAt(text.table, frames);
  return new Map(frames.map((frame, index) => [frame, at[index] ?? null]));
}

/** What a text does not compile to any more has no places. */
function tableOf(compile: () => string): string {
  try {
    return compile();
  } catch (thrown) {
    if (thrown instanceof CompileFailure || thrown instanceof RangeError) return '';
    throw thrown;
  }
}

/** What the program of a branch was compiled among: its definitions come with the branch as they were before it. */
function whereMade({ builtins, namespaces, tools, data, definitions, current }: Session): AnalysisContext {
  return { kind: 'program', builtins, namespaces, tools, data: [...data.keys()], definitions, current };
}

/** The form that runs, where no place of the program is known: it may have no code of its own. */
function runningForm(running: RunningCode): { readonly source: string; readonly place: SourcePlace } | null {
  if (running.kind !== 'program') return null;
  const place = running.form();
  return place === null ? null : { source: running.program.source, place };
}

function callPlace(
  session: Session,
  component: LoadedComponent | null,
  source: string,
  { start, end }: SourcePlace,
): CallPlace {
  return {
    component: component?.id ?? null,
    ref: component === null ? null : (definitionAt(session, component, start)?.ref ?? null),
    ...positionsOf(source).lineAndColumn(start),
    text: oneLine(source.slice(start, end)),
  };
}

/** Units of a form that are looked at: it may be the whole of a program. */
const LOOKED_AT = 8 * PLACE_TEXT_MAX;

function oneLine(form: string): string {
  const text = Array.from(form.slice(0, LOOKED_AT).toWellFormed().replaceAll(/\s+/g, ' '));
  const isWhole = form.length <= LOOKED_AT && text.length <= PLACE_TEXT_MAX;
  return isWhole ? text.join('') : `${text.slice(0, PLACE_TEXT_MAX - 1).join('')}…`;
}
