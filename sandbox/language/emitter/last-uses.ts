/**
 * Where one function body uses a local for the last time, as far as that lets go of a lazy seq. What a call is given is
 * held by the registers of its caller as long as it runs, whatever becomes of the local: so a seq is made empty as its
 * last user walks it (`LazySeq.release`), where nobody else looks at it, or follows another one that is, and the local
 * is cleared.
 */
import type { Binding, FunctionArity, JumpTarget, Local, Node } from '../analyser/ir.ts';
import { operandsOf } from './operands.ts';
import {
  testedForElements,
  isBrief,
  keepsNothing,
  makesSeq,
  mayMakeSeq,
  steppedAlong,
  walkedArguments,
  walkedBySupport,
  walksFar,
} from './owned-seqs.ts';

/**
 * How the last use of a local lets go: `own` empties its seq, `own-received` does where it was given to the function,
 * `move` hands on another one and clears the local.
 */
export type Parting = 'own' | 'own-received' | 'move';

export interface LastUses {
  /** Of a node that is a local, or a call, and an argument of a call that walks it. */
  readonly partings: ReadonlyMap<Node, Parting>;
  /** Locals to be cleared after a binding, or after the source of an `iterate` is known. */
  readonly clearedAfter: ReadonlyMap<Binding | Node, readonly Local[]>;
  /** Locals that are assigned after they are bound. */
  readonly cleared: ReadonlySet<Local>;
  /** Whether the function takes over the seqs that it is given. */
  readonly receives: boolean;
  /** Parameters whose seq it shows to nobody. */
  readonly retained: ReadonlySet<Local>;
  /** Whether all that takes over what is given takes so little time that asking for lazy seqs is felt. */
  readonly isBrief: boolean;
}

const NOTHING: LastUses = {
  partings: new Map(),
  clearedAfter: new Map(),
  cleared: new Set(),
  receives: false,
  retained: new Set(),
  isBrief: false,
};

/** The last uses in a top-level form. */
export function lastUsesOfForm(form: Node): LastUses {
  return lastUses(form, null);
}

/** Those in the body of a function. Only that of a function of one arity takes over what it is given. */
export function lastUsesOfArity(arity: FunctionArity, isOnly: boolean): LastUses {
  return lastUses(arity.body, isOnly && arity.rest === null ? arity : null, arity.target);
}

function lastUses(body: Node, arity: FunctionArity | null, target: JumpTarget | null = null): LastUses {
  const survey = new Survey(arity?.parameters ?? []);
  survey.look(body);
  return survey.isWorthwhile ? new Liveness(survey, arity).of(body, target) : NOTHING;
}

/** The parts of a node that its function evaluates; the bodies of other functions are not. */
function partsOf(node: Node): readonly Node[] {
  const operands = operandsOf(node);
  if (operands !== null) return operands;
  switch (node.kind) {
    case 'do':
      return node.forms;
    case 'let':
    case 'letfn':
    case 'loop':
      return [...node.bindings.map((binding) => binding.value), node.body];
    case 'recur':
      return node.args;
    case 'iterate':
      return [node.source, node.body];
    case 'case':
      return [node.subject, ...node.clauses.map((clause) => clause.body), node.otherwise];
    case 'try':
      return [
        node.body,
        ...node.catches.map((clause) => clause.body),
        ...(node.finallyBody === null ? [] : [node.finallyBody]),
      ];
    default:
      return [];
  }
}

/** Which arguments of a call are walked once; null for a node that is no such call. */
function walkedBy(node: Node): ((index: number) => boolean) | null {
  if (node.kind === 'builtin-call') return walkedArguments(node.name, node.args.length);
  return node.kind === 'support-call' ? walkedBySupport(node.name) : null;
}

/** First look at a body: which locals may hold a seq, and whether any of them is used where that matters. */
class Survey {
  /** Bound to what may be a lazy seq. */
  readonly candidates: Set<Local>;
  /** Bound to a seq that nothing else has seen. */
  readonly fresh = new Set<Local>();
  /** Variables of loops that walk a seq. */
  readonly steppers = new Set<Local>();
  /** Whether there is a call whose result another one walks. */
  #hasCalls = false;
  #interesting = new Set<Local>();

  constructor(parameters: readonly Local[]) {
    this.candidates = new Set(parameters);
  }

  get isWorthwhile(): boolean {
    if (this.#hasCalls) return true;
    for (const local of this.#interesting) if (this.candidates.has(local)) return true;
    return false;
  }

  look(node: Node): void {
    if (node.kind === 'let' || node.kind === 'loop') {
      for (const binding of node.bindings) this.#bind(binding, node.kind === 'let');
    }
    if (node.kind === 'iterate') this.#note(node.source);
    const stepped = steppedAlong(node);
    if (stepped !== null) {
      this.steppers.add(stepped);
      this.#interesting.add(stepped);
    }
    const walked = walkedBy(node);
    if (walked !== null && (node.kind === 'builtin-call' || node.kind === 'support-call')) {
      node.args.forEach((arg, index) => {
        if (walked(index)) this.#note(arg);
      });
    }
    if (node.kind === 'call') for (const arg of node.args) if (arg.kind === 'local') this.#note(arg);
    for (const part of partsOf(node)) this.look(part);
  }

  #bind({ local, value }: Binding, isConstant: boolean): void {
    const isSeq = mayMakeSeq(value) || (value.kind === 'local' && this.candidates.has(value.local));
    if (isConstant && !local.cell && isSeq) this.candidates.add(local);
    if (isConstant && makesSeq(value)) this.fresh.add(local);
    if (value.kind === 'local') this.#interesting.add(value.local);
  }

  #note(arg: Node): void {
    if (arg.kind === 'local') this.#interesting.add(arg.local);
    if (arg.kind === 'call') this.#hasCalls = true;
  }
}

type Live = Set<Local>;

function addAll(live: Live, more: Iterable<Local>): void {
  for (const local of more) live.add(local);
}

/** Goes through a body from its end, with the locals that are still used. */
class Liveness {
  readonly #survey: Survey;
  readonly #parameters: ReadonlySet<Local>;
  readonly #partings = new Map<Node, Parting>();
  readonly #clearedAfter = new Map<Binding | Node, Local[]>();
  /** What is still used where a loop goes on. */
  readonly #atJump = new Map<JumpTarget, Live>();
  /** Locals whose seq something else may look at from some use on. */
  readonly #escaped = new Set<Local>();
  /** Where locals are walked for the last time without anything that would force them to be walked at once. */
  readonly #lazily = new Set<Node>();
  readonly #seen = new Set<Node>();
  readonly #never = new Set<Node>();
  readonly #briefly = new Set<Node>();

  constructor(survey: Survey, arity: FunctionArity | null) {
    this.#survey = survey;
    this.#parameters = new Set(arity?.parameters ?? []);
  }

  of(body: Node, target: JumpTarget | null): LastUses {
    if (target !== null) this.#atJump.set(target, new Set([...usedIn(body), ...target.locals]));
    this.#visit(body, new Set(), false);
    const stored = new Set<Local>();
    const partings = new Map<Node, Parting>();
    const cleared = new Set<Local>();
    const closed = new Set<Local>();
    let brief = true;
    for (const [node, parting] of this.#partings) {
      if (this.#never.has(node)) continue;
      if (node.kind !== 'local') partings.set(node, parting);
      else if (this.#parameters.has(node.local) && !this.#escaped.has(node.local)) {
        stored.add(node.local);
        partings.set(node, 'own-received');
        brief &&= this.#briefly.has(node);
        // What another function is given is no reason to look at every argument.
        if (parting === 'move') closed.add(node.local);
      } else if (this.#survey.fresh.has(node.local) && !this.#escaped.has(node.local)) partings.set(node, 'own');
      else if (parting === 'move' && !this.#lazily.has(node)) {
        partings.set(node, 'move');
        cleared.add(node.local);
      }
    }
    for (const locals of this.#clearedAfter.values()) addAll(cleared, locals);
    const receives = [...this.#parameters].some((local) => closed.has(local) || cleared.has(local));
    return { partings, clearedAfter: this.#clearedAfter, cleared, receives, retained: stored, isBrief: brief };
  }

  /** `owned`: whether what the node gives is walked at once by the one that looks at it. */
  #visit(node: Node, live: Live, owned: boolean): void {
    switch (node.kind) {
      case 'local':
        live.add(node.local);
        this.#escaped.add(node.local);
        return;
      case 'function':
        for (const local of node.captures) {
          live.add(local);
          this.#escaped.add(local);
        }
        return;
      case 'call':
      case 'builtin-call':
      case 'support-call':
        this.#visitCall(node, live, owned);
        return;
      case 'if': {
        const otherwise = new Set(live);
        this.#visit(node.then, live, false);
        this.#visit(node.otherwise, otherwise, false);
        addAll(live, otherwise);
        const requested = testedForElements(node.test);
        if (requested === null) this.#visit(node.test, live, false);
        else live.add(requested);
        return;
      }
      case 'and':
      case 'or': {
        const after = new Set(live);
        for (const operand of node.operands.toReversed()) {
          addAll(live, after);
          this.#visit(operand, live, false);
        }
        return;
      }
      case 'let':
      case 'letfn':
        this.#visit(node.body, live, false);
        this.#visitBindings(node.bindings, live);
        return;
      case 'loop': {
        this.#atJump.set(node.target, new Set([...live, ...usedIn(node.body), ...node.target.locals]));
        this.#visit(node.body, live, false);
        this.#visitBindings(node.bindings, live);
        return;
      }
      case 'recur':
        live.clear();
        addAll(live, this.#atJump.get(node.target) ?? []);
        this.#visitOperands(node.args, live);
        return;
      case 'iterate':
        this.#visitIterate(node, live);
        return;
      case 'case': {
        const after = new Set(live);
        this.#visit(node.otherwise, live, false);
        for (const clause of node.clauses) {
          const branch = new Set(after);
          this.#visit(clause.body, branch, false);
          addAll(live, branch);
        }
        this.#visit(node.subject, live, false);
        return;
      }
      case 'try':
        this.#visitTry(node, live);
        return;
      case 'do':
        for (const form of node.forms.toReversed()) this.#visit(form, live, false);
        return;
      default:
        this.#visitOperands(operandsOf(node) ?? [], live);
    }
  }

  /** Locals among operands may be read after all other operands are evaluated. */
  #visitOperands(operands: readonly Node[], live: Live): void {
    for (const operand of operands) if (operand.kind === 'local') this.#visit(operand, live, false);
    for (const operand of operands.toReversed()) if (operand.kind !== 'local') this.#visit(operand, live, false);
  }

  #visitCall(node: Node & { kind: 'call' | 'builtin-call' | 'support-call' }, live: Live, owned: boolean): void {
    const walked = walkedBy(node);
    const isLazy = makesSeq(node);
    const partsWith = (index: number): boolean =>
      node.kind === 'call' ? true : walked !== null && walked(index) && (isLazy || walksFar(node));
    const operands = node.kind === 'call' ? [node.callee, ...node.args] : node.args;
    const candidate = (arg: Node, index: number): arg is Node & { kind: 'local' } =>
      arg.kind === 'local' &&
      this.#survey.candidates.has(arg.local) &&
      partsWith(index) &&
      operands.every((other) => other === arg || !usedIn(other).has(arg.local));
    const first = operands.length - node.args.length;
    const parting = operands.map((operand, index) => index >= first && candidate(operand, index - first));
    operands.forEach((operand, index) => {
      if (operand.kind !== 'local' || parting[index] === true) return;
      live.add(operand.local);
      if (!keepsNothing(node, index - first)) this.#escaped.add(operand.local);
    });
    for (let index = operands.length - 1; index >= 0; index -= 1) {
      const operand = operands[index];
      if (operand === undefined) continue;
      const isWalked = walked !== null && walked(index - first);
      if (operand.kind !== 'local') {
        const isOwned = isWalked && (!isLazy || owned);
        if (operand.kind === 'call' && isOwned && walksFar(node)) this.#partings.set(operand, 'move');
        this.#visit(operand, live, isOwned);
      } else if (parting[index] === true) {
        if (isBrief(node)) this.#briefly.add(operand);
        if (!live.has(operand.local))
          this.#part(operand, { isPassed: node.kind === 'call', isLazily: isLazy && !owned });
        else {
          this.#never.add(operand);
          if (!keepsNothing(node, index - first)) this.#escaped.add(operand.local);
        }
        live.add(operand.local);
      }
    }
  }

  #part(
    node: Node,
    { isPassed: isProvided, isLazily }: { readonly isPassed: boolean; readonly isLazily: boolean },
  ): void {
    // A node that is in two places is left alone.
    if (this.#seen.has(node) && node.kind === 'local') {
      this.#never.add(node);
      this.#escaped.add(node.local);
    }
    this.#seen.add(node);
    this.#partings.set(node, isProvided ? 'own' : 'move');
    if (isLazily) this.#lazily.add(node);
  }

  #visitBindings(bindings: readonly Binding[], live: Live): void {
    for (const binding of bindings.toReversed()) {
      live.delete(binding.local);
      const { value } = binding;
      const used = value.kind === 'local' ? value.local : steppedAlong(value);
      if (
        used !== null &&
        !live.has(used) &&
        this.#survey.candidates.has(used) &&
        (this.#survey.steppers.has(binding.local) || !this.#parameters.has(used))
      ) {
        this.#clearedAfter.set(binding, [used]);
      }
      this.#visit(value, live, false);
    }
  }

  #visitIterate(node: Node & { kind: 'iterate' }, live: Live): void {
    addAll(live, usedIn(node.body));
    this.#visit(node.body, live, false);
    live.delete(node.local);
    const { source } = node;
    if (source.kind === 'local' && !live.has(source.local) && this.#survey.candidates.has(source.local))
      this.#clearedAfter.set(node, [source.local]);
    this.#visit(source, live, false);
  }

  #visitTry(node: Node & { kind: 'try' }, live: Live): void {
    if (node.finallyBody !== null) this.#visit(node.finallyBody, live, false);
    const after = new Set(live);
    for (const clause of node.catches) {
      const branch = new Set(after);
      this.#visit(clause.body, branch, false);
      addAll(live, branch);
    }
    // These may follow a failure at any place of the body.
    for (const handler of [...node.catches.map((clause) => clause.body), node.finallyBody])
      if (handler !== null) addAll(live, usedIn(handler));
    this.#visit(node.body, live, false);
  }
}

/** All locals that a node uses, those that it binds among them. */
function usedIn(node: Node): ReadonlySet<Local> {
  const used = new Set<Local>();
  const pending: Node[] = [node];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.kind === 'local') used.add(at.local);
    else if (at.kind === 'function') addAll(used, at.captures);
    else pending.push(...partsOf(at));
  }
  return used;
}
