/** A program that an answer asked to run. */
export interface OfferedProgram {
  /** Which exchange gave the answer; several programs of one answer have the same. */
  readonly exchange: number;
  /** Sequence of the answer. */
  readonly sequence: number;
  readonly text: string;
}

/** A program that was evaluated. */
export interface EvaluatedProgram {
  readonly evaluationId: string;
  readonly sequence: number;
  readonly text: string;
}

/** Which exchanges a program may come from; exact where it can be only one. */
export interface Association {
  readonly exchanges: readonly number[];
  readonly isExact: boolean;
}

/**
 * Finds for each evaluated program the answers that it may come from: equal texts, one to one, earlier, and in their
 * order. A program is exact when every way to give all of them an answer gives it the same (evidence.md §7, "Turns").
 */
export function associate(
  offered: readonly OfferedProgram[],
  evaluated: readonly EvaluatedProgram[],
): ReadonlyMap<string, Association> {
  const offers = Map.groupBy(offered, ({ text }) => text);
  const associations = new Map<string, Association>();
  for (const [text, programs] of Map.groupBy(evaluated, (program) => program.text)) {
    const equal = (offers.get(text) ?? []).toSorted(bySequence);
    if (equal.length === 0) continue;
    for (const [evaluationId, association] of inOrder(equal, programs.toSorted(bySequence)))
      associations.set(evaluationId, association);
  }
  return associations;
}

function bySequence(left: { readonly sequence: number }, right: { readonly sequence: number }): number {
  return left.sequence - right.sequence;
}

/** The earliest and the latest answer that each program has in some full assignment bound all that it can have. */
function inOrder(
  offers: readonly OfferedProgram[],
  programs: readonly EvaluatedProgram[],
): readonly (readonly [string, Association])[] {
  const isFull = programs.every((program, index) => (offers[index]?.sequence ?? Infinity) < program.sequence);
  if (!isFull) {
    // Some program has another origin, and nobody can say which.
    return programs.flatMap(({ evaluationId, sequence }) => {
      const earlier = offers.filter((offer) => offer.sequence < sequence);
      return earlier.length === 0 ? [] : [[evaluationId, { exchanges: exchangesOf(earlier), isExact: false }] as const];
    });
  }
  let after = offers.length;
  const latest = programs.map(() => 0);
  for (let index = programs.length - 1; index >= 0; index -= 1) {
    const program = programs[index];
    const place = offers.findLastIndex(
      ({ sequence }, position) => position < after && sequence < (program?.sequence ?? 0),
    );
    latest[index] = place;
    after = place;
  }
  return programs.map(({ evaluationId }, index) => {
    const exchanges = exchangesOf(offers.slice(index, (latest[index] ?? index) + 1));
    return [evaluationId, { exchanges, isExact: exchanges.length === 1 }] as const;
  });
}

function exchangesOf(offers: readonly OfferedProgram[]): readonly number[] {
  return [...new Set(offers.map(({ exchange }) => exchange))];
}
