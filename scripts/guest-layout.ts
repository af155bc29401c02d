/** Texts of a guest whose cold units are apart from the warm ones; what for, says scripts/guest-bundle.ts. */
import type { Unit, Use } from './guest-units.ts';

export interface Layout {
  /** The bundle from which the units are. */
  readonly text: string;
  readonly units: readonly Unit[];
  /** Units that are made together, when one of them is first mentioned. */
  readonly groups: readonly (readonly Unit[])[];
}

export interface LaidOut {
  /** The statements of the units of no group. */
  readonly warm: string;
  /** Names of warm units that groups mention. */
  readonly links: readonly string[];
  readonly groups: readonly GroupText[];
}

export interface GroupText {
  /**
   * Statements that take the group's links from the array `$links`; for a group outside the scope of the warm units.
   */
  readonly head: string;
  /** Statements of a function body that returns the members. */
  readonly body: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Place {
  readonly group: number;
  readonly member: string;
}

/**
 * A cold unit is mentioned as `$group(3).m0`, and `$made[3]` holds the members of a group that was made. Throws when a
 * link is not constant.
 */
export function layOut({ text, units, groups }: Layout): LaidOut {
  const places = new Map(
    groups.flatMap((group, index) =>
      group.map((unit, member): [Unit, Place] => [unit, { group: index, member: `m${member.toString(36)}` }]),
    ),
  );
  const unitAt = finder(units);
  const edits = new Map<Unit, Edit[]>();
  const shared = new Set<Unit>();
  /** Warm units that each group mentions. */
  const linked = groups.map(() => new Set<Unit>());
  for (const unit of units) {
    const place = places.get(unit);
    for (const use of unit.uses) {
      const user = unitAt(use.start);
      const from = places.get(user)?.group;
      if (from === place?.group) continue;
      if (place === undefined) {
        if (from !== undefined) linked[from]?.add(unit);
        continue;
      }
      shared.add(unit);
      edits.set(user, [...(edits.get(user) ?? []), ...editsFor(use, unit, place)]);
    }
  }
  const textOf = (unit: Unit): string => edited(text, unit, edits.get(unit) ?? []);
  const links = [...new Set(linked.flatMap((each) => [...each]))];
  const placeOfLink = new Map(links.map((unit, index) => [unit, index]));
  const changing = links.find(({ isConstant }) => !isConstant);
  if (changing !== undefined) throw new Error(`a cold unit mentions ${changing.name}, which changes`);
  return {
    warm: units
      .filter((unit) => !places.has(unit))
      .map(textOf)
      .join('\n'),
    links: links.map(({ name }) => String(name)),
    groups: groups.map((group, index) => ({
      head: [...(linked[index] ?? [])]
        .map((unit) => `const ${unit.name} = $links[${placeOfLink.get(unit)}];`)
        .join('\n'),
      body: `${group.map(textOf).join('\n')}\nreturn { ${group
        .filter((unit) => shared.has(unit))
        .map((unit) => `${places.get(unit)?.member}: ${unit.name}`)
        .join(', ')} };`,
    })),
  };
}

function editsFor(use: Use, unit: Unit, { group, member }: Place): Edit[] {
  if (use.instanceOf !== null) {
    const { start, end } = use.instanceOf;
    return [
      { start, end: start, text: `($made[${group}] !== undefined && ` },
      { start: use.start, end: use.end, text: `$made[${group}].${member}` },
      { start: end, end, text: ')' },
    ];
  }
  const access = `($group(${group}).${member})`;
  return [{ start: use.start, end: use.end, text: use.isShorthand ? `${unit.name}: ${access}` : access }];
}

/** Edits do not overlap; those at one place keep their order, insertions before replacements. */
function edited(text: string, { start, end, keyword }: Unit, edits: readonly Edit[]): string {
  const pieces: string[] = [keyword];
  let at = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return [...pieces, text.slice(at, end), ';'].join('');
}

/** The unit in which a position of the text lies. */
function finder(units: readonly Unit[]): (position: number) => Unit {
  return (position) => {
    const unit = units[units.findLastIndex(({ start }) => start <= position)];
    if (unit === undefined || position >= unit.end) throw new Error('a name is used outside every statement');
    return unit;
  };
}
