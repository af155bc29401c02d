/**
 * Terms that know their scope. A template is text with tokens:
 * `$kind` a term of that kind, `$body` one of the kind that is wanted; `@a` a name, the same one wherever the template
 * says `@a`; `~a:kind` from here on the name is bound to a value of that kind, `~a` it is not any more, `~~` none is.
 * Names of the kind `self` are bound, but nothing but the template itself uses them.
 */
import { bindingForms } from './binding-forms.ts';
import { type Kind, grammar, isKind, standsFor } from './grammar.ts';
import { drawNames, isRefused, isSpecial } from './names.ts';
import { pick, type Random } from './random.ts';

/** A template with its tokens filled, in order. */
export interface Term {
  readonly kind: Kind;
  readonly template: string;
  readonly parts: readonly Term[];
  /** What stands for each label of the template. */
  readonly names: ReadonlyMap<string, string>;
}

type Bound = Kind | 'self';

type Token =
  | { readonly kind: 'hole'; readonly of: string }
  | { readonly kind: 'name'; readonly label: string }
  | { readonly kind: 'bind'; readonly label: string; readonly as: Bound }
  | { readonly kind: 'release'; readonly label: string | null };

const TOKEN = /\$([a-z]+2?)|@([a-z])(?![a-z])|~(?:~|([a-z])(?::([a-z]+2?))?)/g;

function tokenOf([, of, label, bound, as]: RegExpExecArray): Token {
  if (of !== undefined) return { kind: 'hole', of };
  if (label !== undefined) return { kind: 'name', label };
  if (bound === undefined) return { kind: 'release', label: null };
  if (as === undefined) return { kind: 'release', label: bound };
  if (as !== 'self' && !isKind(as)) throw new TypeError(`no kind ${as}`);
  return { kind: 'bind', label: bound, as };
}

interface Template {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Names of the language that the text itself uses: it means another thing where one of them is shadowed. */
  readonly words: readonly string[];
  /** Labels of names that it defines: each name once, or functions that call each other would change. */
  readonly defines: ReadonlySet<string>;
}

function readTemplate(text: string): Template {
  const written = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(TOKEN, ' ');
  const words = [
    ...written.matchAll(/(?<![\w:%\\-])[^\s()[\]{}"'#@^,:%\\\d-][^\s()[\]{}"'@^,]*|(?<=[\s([])-(?:>>?)?(?=[\s)])/g),
  ].map(([word]) => word);
  return {
    text,
    tokens: [...text.matchAll(TOKEN)].map(tokenOf),
    words: [...new Set(words)].filter((word) => !isSpecial(word)),
    defines: new Set([...text.matchAll(/\(def(?:n|multi)? @([a-z])/g)].map(([, label = '']) => label)),
  };
}

const FORMS = bindingForms.map(readTemplate);
const VALUES = new Map(Object.entries(grammar).map(([kind, texts]) => [kind, texts.map(readTemplate)]));

/** Kinds of values that may be the body of a form. */
const BODIES: ReadonlySet<Kind> = new Set<Kind>(['int', 'bool', 'text', 'ints', 'things', 'map', 'set', 'thing']);

/** How often a term is a name in scope, where there is one, and how often where it would be a constant. */
const REFERENCES = 0.25;
const LAST_REFERENCES = 0.85;
/** How often it is all of them, so that a wrong one is seen, and how many that may be. */
const WITNESSES = 0.5;
const MOST_WITNESSES = 10;
/** How often a term is a name that is not in scope, and how often a form that binds. */
const STRAY = 0.004;
const FORM_SHARE = 0.7;
/** From this size on a term has parts. */
const OPEN_SIZE = 4;

/** Names of one program. */
const VOCABULARY = 12;
/** A body gets this many times as much room as another part. */
const BODY_WEIGHT = 3;

interface Entry {
  readonly name: string;
  readonly label: string;
  readonly kind: Bound;
}

/** A random program of about `size` terms. */
export function growProgram(size: number, random: Random): Term {
  return new Growth(drawNames(VOCABULARY, random), random).term('program', size, []);
}

class Growth {
  readonly #vocabulary: readonly string[];
  readonly #random: Random;

  constructor(vocabulary: readonly string[], random: Random) {
    this.#vocabulary = vocabulary;
    this.#random = random;
  }

  term(kind: Kind, size: number, scope: readonly Entry[]): Term {
    const visible = new Map(scope.map((entry) => [entry.name, entry.kind]));
    const name = this.#reference(kind, size, visible);
    if (name !== null) return { kind, template: name, parts: [], names: new Map() };
    return this.#fill(kind, this.#template(kind, size, visible), size, scope);
  }

  #reference(kind: Kind, size: number, visible: ReadonlyMap<string, Bound>): string | null {
    if (kind === 'thing' && this.#random() < STRAY)
      return (
        pick(
          this.#vocabulary.filter((name) => !isRefused(name)),
          this.#random,
        ) ?? null
      );
    if (this.#random() >= (size <= 1 ? LAST_REFERENCES : REFERENCES)) return null;
    const named = (wanted: Kind): string[] =>
      [...visible].flatMap(([name, bound]) => (bound !== 'self' && standsFor(bound, wanted) ? [name] : []));
    if ((kind === 'thing' || kind === 'things') && this.#random() < WITNESSES) {
      const all = named('thing').slice(0, MOST_WITNESSES);
      if (all.length > 0) return `[${all.join(' ')}]`;
    }
    return pick(named(kind), this.#random) ?? null;
  }

  #template(kind: Kind, size: number, visible: ReadonlyMap<string, Bound>): Template {
    const isForm = size > 2 && BODIES.has(kind) && this.#random() < FORM_SHARE;
    const all = (isForm ? FORMS : VALUES.get(kind)) ?? [];
    const open = all.filter((template) => !template.words.some((word) => visible.has(word)));
    const closed = open.filter((template) => template.tokens.every((token) => token.kind !== 'hole'));
    const branching = open.filter((template) => !closed.includes(template));
    const chosen = size <= 1 ? closed : size >= OPEN_SIZE ? branching : open;
    return pick(chosen.length > 0 ? chosen : open, this.#random) ?? readTemplate('nil');
  }

  #fill(kind: Kind, template: Template, size: number, scope: readonly Entry[]): Term {
    const names = new Map<string, string>();
    const parts: Term[] = [];
    const weights = template.tokens.flatMap((token) =>
      token.kind === 'hole' ? [isMain(token.of) ? BODY_WEIGHT : 1] : [],
    );
    const room =
      (size - 1) /
      Math.max(
        1,
        weights.reduce((sum, weight) => sum + weight, 0),
      );
    let own: readonly Entry[] = [];
    for (const token of template.tokens) {
      if (token.kind === 'hole') {
        const wanted = token.of === 'body' ? kind : token.of;
        if (!isKind(wanted)) throw new TypeError(`no kind ${wanted}`);
        parts.push(this.term(wanted, room * (isMain(token.of) ? BODY_WEIGHT : 1), [...scope, ...own]));
      } else if (token.kind === 'release') {
        own = own.filter((entry) => token.label !== null && entry.label !== token.label);
      } else {
        const { label } = token;
        const name =
          names.get(label) ??
          this.#draw(template, label, [
            ...names.values(),
            ...(template.defines.has(label) ? scope.map((entry) => entry.name) : []),
          ]);
        names.set(label, name);
        if (token.kind === 'bind')
          own = [...own.filter((entry) => entry.label !== label), { name, label, kind: token.as }];
      }
    }
    return { kind, template: template.text, parts, names };
  }

  #draw(template: Template, label: string, used: readonly string[]): string {
    const isCalled =
      template.text.includes(`(@${label}`) ||
      template.tokens.some(
        (token) => token.kind === 'bind' && token.label === label && (token.as === 'step' || token.as === 'test'),
      );
    const free = this.#vocabulary.filter(
      (name) =>
        !used.includes(name) &&
        !template.words.includes(name) &&
        !((isCalled || template.defines.has(label)) && isSpecial(name)),
    );
    return pick(free, this.#random) ?? `${label}${used.length}`;
  }
}

/** Holes that get most of the room. */
function isMain(hole: string): boolean {
  return hole === 'body' || hole === 'program';
}

/** Sequence forms that the reference computes when they are looked at, and svc-lisp at once (A4). */
const LATE =
  /\((for|map|map-indexed|mapcat|filter|remove|keep|keep-indexed|reductions|sequence|concat|interleave|interpose|partition|partition-all|partition-by|take|take-nth|take-while|drop|drop-while|distinct|dedupe|cons|lazy-cat|tree-seq|rest|keys|vals|split-with) /g;

/** What they give, or a vector of what they would give, with everything in it. */
const AT_ONCE =
  '(defn %whole [value] (if (vector? value) (run! %whole value) (when (seq? value) (dorun value))) value)';

/** The text for the reference in which these are computed at once, by a macro before it. */
export function eagerTextOf(term: Term): string {
  const eager = (part: Term): Term => ({
    ...part,
    template: part.template.replaceAll(LATE, '(%at-once $1 '),
    parts: part.parts.map(eager),
  });
  return `${AT_ONCE}\n(defmacro %at-once [f & args] \`(%whole (~f ~@args)))\n${textOf(eager(term))}`;
}

export function textOf(term: Term): string {
  const parts = term.parts.values();
  const text = term.template.replaceAll(TOKEN, (token: string, hole?: string, label?: string) => {
    if (hole !== undefined) {
      const part = parts.next();
      return part.done === true ? token : textOf(part.value);
    }
    return label === undefined ? '' : (term.names.get(label) ?? token);
  });
  return text.replaceAll(/ +/g, ' ').replaceAll(/ (?=[\])])|(?<=[[(]) /g, '');
}

function descendants(term: Term): Term[] {
  return term.parts.flatMap((part) => [part, ...descendants(part)]);
}

/** Smaller terms of the same kind, smallest changes last. A name may lose its binding: then neither side knows it. */
export function smaller(term: Term): Term[] {
  const leaves =
    term.parts.length === 0 ? [] : (VALUES.get(term.kind) ?? []).filter(({ tokens }) => tokens.length === 0);
  const isAny = term.kind === 'thing' || term.kind === 'program';
  return [
    ...leaves
      .slice(0, 3)
      .map(({ text }) => ({ kind: term.kind, template: text, parts: [], names: new Map<string, string>() })),
    ...descendants(term).filter((part) => part.kind === term.kind || (isAny && part.kind !== 'program')),
    ...term.parts.flatMap((part, index) =>
      smaller(part).map((other) => ({ ...term, parts: term.parts.with(index, other) })),
    ),
  ];
}
