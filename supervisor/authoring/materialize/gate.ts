import type { ExportFact, NamespaceFact } from '../../../contract/sandbox-protocol.ts';

/** A check of the gate, by its name in messages (cli.md §10, "Gate"). */
export type GateCheck = 'G1' | 'G2' | 'G3';

/** What the gate holds against a candidate. */
export interface GateFinding {
  readonly check: GateCheck;
  /** Exports that are concerned, sorted by name; none where nothing compiles. */
  readonly exports: readonly string[];
}

/** Facts of a compiled environment. */
export interface GatedBundle {
  readonly exports: readonly ExportFact[];
  readonly namespaces: readonly NamespaceFact[];
}

export interface GateRequest {
  readonly component: string;
  readonly installed: GatedBundle;
  readonly candidate: GatedBundle;
  /** A wider effect or further requirements are wanted; a removed export never is. */
  readonly acceptsWidened: boolean;
}

const WIDTH: Readonly<Record<ExportFact['effect'], number>> = { read: 0, unknown: 1, write: 2 };

/** G2 and G3, of a candidate that compiles and whose entry can be called. */
export function gateFindings({ component, installed, candidate, acceptsWidened }: GateRequest): readonly GateFinding[] {
  const own = new Set(
    candidate.namespaces.filter((namespace) => namespace.component === component).map(({ name }) => name),
  );
  const before = new Map(installed.exports.map((fact) => [fact.ref, fact]));
  const after = new Map(candidate.exports.map((fact) => [fact.ref, fact]));
  const undescribed = candidate.exports.filter(
    (fact) => own.has(namespaceOf(fact)) && fact.visibility === 'prompt' && !isDescribed(fact),
  );
  const removed = installed.exports.filter(({ ref }) => !after.has(ref));
  const widened = acceptsWidened ? [] : candidate.exports.filter((fact) => isWider(fact, before.get(fact.ref)));
  return [finding('G2', undescribed), finding('G3', [...removed, ...widened])].filter((each) => each !== null);
}

function finding(check: GateCheck, facts: readonly ExportFact[]): GateFinding | null {
  return facts.length === 0 ? null : { check, exports: facts.map(({ ref }) => ref).toSorted() };
}

function namespaceOf({ ref }: ExportFact): string {
  return ref.slice(0, ref.indexOf('/', 1));
}

function isDescribed({ doc, contract }: ExportFact): boolean {
  return doc !== null && doc !== '' && typeof contract === 'string';
}

function isWider({ effect, requirements }: ExportFact, before: ExportFact | undefined): boolean {
  if (before === undefined) return effect === 'write' || requirements.length > 0;
  return WIDTH[effect] > WIDTH[before.effect] || requirements.some((name) => !before.requirements.includes(name));
}
