/**
 * What the analyser makes of syntax: names resolved, patterns and macros gone, tail calls marked. The emitter turns
 * each node into JavaScript and decides nothing about meaning.
 */

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A local that the program bound to a name. */
export interface NamedLocal {
  readonly kind: 'named';
  readonly name: string;
  /** JavaScript identifier, unique in its code block. */
  readonly id: string;
  /** Lives in a shared cell, because functions capture it before it has a value (`letfn`). */
  readonly cell: boolean;
}

/** A local of the compiler's own. It has no name, so that nothing a program writes can mean it. */
export interface HiddenLocal {
  readonly kind: 'hidden';
  readonly id: string;
  readonly cell: false;
}

export type Local = NamedLocal | HiddenLocal;

export interface VariableReference {
  readonly namespace: string;
  readonly name: string;
}

/** Where `recur` jumps; made once per `loop` or function arity. */
export interface JumpTarget {
  readonly label: string;
  readonly locals: Local[];
  /** Set when some `recur` names this target, so that others need no loop. */
  used: boolean;
}

export interface FunctionArity {
  readonly parameters: readonly Local[];
  readonly rest: Local | null;
  readonly target: JumpTarget;
  readonly body: Node;
}

export interface FunctionNode extends Place {
  readonly kind: 'function';
  /** JavaScript name of the function, by which it refers to itself. */
  readonly id: string;
  /** Name as error texts and printing show it: `user/f`, or null for a nameless one. */
  readonly displayName: string | null;
  readonly arities: readonly FunctionArity[];
  /** Locals of enclosing functions that the bodies use, in order of first use. */
  readonly captures: readonly Local[];
}

export interface CatchClause {
  /** Full Java class name. */
  readonly className: string;
  readonly local: Local;
  readonly body: Node;
}

export interface Binding {
  readonly local: Local;
  readonly value: Node;
}

export interface CaseClause {
  readonly constants: readonly unknown[];
  readonly body: Node;
}

export type Node =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'local'; readonly local: Local }
  | (Place & { readonly kind: 'variable'; readonly variable: VariableReference })
  | { readonly kind: 'variable-object'; readonly variable: VariableReference }
  | { readonly kind: 'builtin'; readonly name: string }
  | (Place & { readonly kind: 'call'; readonly callee: Node; readonly args: readonly Node[] })
  | (Place & { readonly kind: 'builtin-call'; readonly name: string; readonly args: readonly Node[] })
  /** A call of the compiler's own support functions (`link/support.ts`), which no program can name. */
  | (Place & { readonly kind: 'support-call'; readonly name: string; readonly args: readonly Node[] })
  /** Like a support call, but the arguments go as one array. */
  | (Place & { readonly kind: 'collection'; readonly name: string; readonly items: readonly Node[] })
  | { readonly kind: 'if'; readonly test: Node; readonly then: Node; readonly otherwise: Node }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Node[] }
  | { readonly kind: 'do'; readonly forms: readonly Node[] }
  | { readonly kind: 'let'; readonly bindings: readonly Binding[]; readonly body: Node }
  | { readonly kind: 'letfn'; readonly bindings: readonly Binding[]; readonly body: Node }
  | (Place & {
      readonly kind: 'loop';
      readonly bindings: readonly Binding[];
      readonly target: JumpTarget;
      readonly body: Node;
    })
  | { readonly kind: 'recur'; readonly target: JumpTarget; readonly args: readonly Node[] }
  | (Place & {
      readonly kind: 'iterate';
      /** Binds each element of `source` in turn. */
      readonly local: Local;
      readonly source: Node;
      readonly body: Node;
      /** Whether a body whose value is false ends the walk. */
      readonly stops: boolean;
    })
  | {
      readonly kind: 'case';
      readonly local: Local;
      readonly subject: Node;
      readonly clauses: readonly CaseClause[];
      readonly otherwise: Node;
    }
  | (Place & {
      readonly kind: 'try';
      readonly body: Node;
      readonly catches: readonly CatchClause[];
      readonly finallyBody: Node | null;
    })
  | FunctionNode;

export const NIL: Node = { kind: 'constant', value: null };

export function constant(value: unknown): Node {
  return { kind: 'constant', value };
}

export function sequence(forms: readonly Node[]): Node {
  const [only] = forms;
  if (only === undefined) return NIL;
  return forms.length === 1 ? only : { kind: 'do', forms };
}

export function variable(place: Place, reference: VariableReference): Node {
  return { kind: 'variable', variable: reference, start: place.start, end: place.end };
}

export function supportCall(place: Place, name: string, args: readonly Node[]): Node {
  return { kind: 'support-call', name, args, start: place.start, end: place.end };
}

export function builtinCall(place: Place, name: string, args: readonly Node[]): Node {
  return { kind: 'builtin-call', name, args, start: place.start, end: place.end };
}

export function call(place: Place, callee: Node, args: readonly Node[]): Node {
  return { kind: 'call', callee, args, start: place.start, end: place.end };
}
