import { CompileFailure, EndOfSource } from '../compile-failure.ts';
import type { Syntax } from '../syntax.ts';
import { readFormsBetween } from './reader.ts';

/** What can be read of a text that cannot be read whole. */
export interface ReadApart {
  readonly forms: readonly Syntax[];
  /** One for each piece that cannot be read, in their order. */
  readonly faults: readonly CompileFailure[];
  /** Texts of those pieces. */
  readonly unread: readonly string[];
}

/** Lines with a bracket at the margin that one form may go on over: in a text between quotes, say. */
const LINES_INSIDE = 8;
/** Pieces that are looked at; a text of more is taken as it is. */
const PIECES = 2000;

/**
 * Reads a text piece by piece, each from a line that begins with an opening parenthesis to the next: where people begin
 * their forms. So a bracket that is missing in one form does not hide what is wrong, or right, in the others.
 */
export function readApart(source: string): ReadApart {
  const starts = pieceStarts(source);
  const forms: Syntax[] = [];
  const faults: CompileFailure[] = [];
  const unread: string[] = [];
  for (let index = 0; index < starts.length;) {
    const read = readPiece(source, starts, index);
    if ('forms' in read) {
      forms.push(...read.forms);
      index += read.pieces;
    } else {
      faults.push(read.fault);
      unread.push(source.slice(starts[index], starts[index + 1]));
      index += 1;
    }
  }
  return { forms, faults, unread };
}

function pieceStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n('); at >= 0 && starts.length < PIECES; at = source.indexOf('\n(', at + 1))
    starts.push(at + 1);
  return starts;
}

/**
 * Whether a form that is not closed may go on at this line: in a text between quotes always, else where none is
 * defined.
 */
function mayGoOn(source: string, start: number | undefined, { message }: CompileFailure): boolean {
  if (start === undefined) return false;
  const isText = message.startsWith('Unclosed string') || message.startsWith('Unclosed regex');
  return isText || !(source.startsWith('(def', start) || source.startsWith('(ns ', start));
}

/** A piece alone, else with those behind it; the fault is that of the piece alone. */
function readPiece(
  source: string,
  starts: readonly number[],
  index: number,
): { readonly forms: readonly Syntax[]; readonly pieces: number } | { readonly fault: CompileFailure } {
  let fault: CompileFailure | null = null;
  for (let pieces = 1; pieces <= LINES_INSIDE && index + pieces <= starts.length; pieces += 1) {
    try {
      return { forms: readFormsBetween(source, starts[index] ?? 0, starts[index + pieces] ?? source.length), pieces };
    } catch (thrown) {
      if (!(thrown instanceof CompileFailure)) throw thrown;
      fault ??= thrown;
      if (!(thrown instanceof EndOfSource) || !mayGoOn(source, starts[index + pieces], thrown)) return { fault };
    }
  }
  if (fault === null) throw new Error('a piece is read or has a fault');
  return { fault };
}
