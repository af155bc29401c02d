import { type Kind, grammar, isKind } from './grammar.ts';

/** A template with its holes filled, in order. */
export interface Term {
  readonly kind: Kind;
  readonly template: string;
  readonly parts: readonly Term[];
}

export type Random = () => number;

/** The same numbers between 0 and 1 for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function holesOf(template: string): Kind[] {
  return [...template.matchAll(/\$([a-z]+2?)/g)].flatMap(([, name = '']) => (isKind(name) ? [name] : []));
}

/** A random term of at most `depth` nested holes. */
export function grow(kind: Kind, depth: number, random: Random): Term {
  const all: readonly string[] = grammar[kind];
  const closed = all.filter((template) => holesOf(template).length === 0);
  const choices = depth <= 0 && closed.length > 0 ? closed : all;
  const template = choices[Math.floor(random() * choices.length)] ?? 'nil';
  return { kind, template, parts: holesOf(template).map((hole) => grow(hole, depth - 1, random)) };
}

export function textOf(term: Term): string {
  const parts = term.parts.values();
  return term.template.replaceAll(/\$([a-z]+2?)/g, (hole, name: string) => {
    if (!isKind(name)) return hole;
    const part = parts.next();
    return part.done === true ? hole : textOf(part.value);
  });
}

function descendants(term: Term): Term[] {
  return term.parts.flatMap((part) => [part, ...descendants(part)]);
}

/** Smaller terms of the same kind, smallest changes last. */
export function smaller(term: Term): Term[] {
  const all: readonly string[] = grammar[term.kind];
  const leaves = term.parts.length === 0 ? [] : all.filter((template) => holesOf(template).length === 0);
  return [
    ...leaves.slice(0, 3).map((template) => ({ kind: term.kind, template, parts: [] })),
    ...descendants(term).filter((part) => part.kind === term.kind || term.kind === 'thing'),
    ...term.parts.flatMap((part, index) => smaller(part).map((other) => ({ ...term, parts: term.parts.with(index, other) }))),
  ];
}
