import { MOST_REQUIRED_NAMES, type RequiredNames } from '../../contract/sandbox-protocol.ts';
import { codeBlock, codeOfUnits, type CodePiece } from './link/code-block.ts';
import { sha256Hex } from './link/sha256.ts';
import { Analyser } from './analyser/analyser.ts';
import { Names } from './analyser/names.ts';
import { refusePrivateTools } from './analyser/private-tools.ts';
import { rootContext } from './analyser/scope.ts';
import { suggestions } from '../runtime/suggestions.ts';
import type { DefinitionTables, AnalysisContext } from './analyser/surroundings.ts';
import { CompileFailure, parseError } from './compile-failure.ts';
import { Block } from './emitter/block.ts';
import { addForm } from './emitter/functions.ts';
import { takeMarks } from './emitter/places.ts';
import { loneSurrogateOffset } from './reader/positions.ts';
import { readForms } from './reader/reader.ts';
import type { Syntax } from './syntax.ts';

/** A program ready to be instantiated. */
export interface CompiledProgram {
  /** Name of its block of code. */
  readonly name: string;
  /** Name under which the functions of the block are found; null where it makes none. */
  readonly block: string | null;
  readonly code: string;
  /** Spans of the top-level forms, by the order of the form functions. */
  readonly forms: readonly Syntax[];
  /** The namespace that it ends in. */
  readonly namespace: string;
  /** What the program's own names mean once it ran. */
  readonly definitions: DefinitionTables;
  /** Qualified names that the program refers to, its own among them; each once. */
  readonly references: ReadonlySet<string>;
  /** What is required after it; null where nobody asked. */
  readonly required: RequiredNames | null;
}

/** Digits of the digest that name a block of code. */
const NAME_LENGTH = 16;

/** A name for a text: equal texts have equal names. */
export function blockName(source: string): string {
  return sha256Hex(source).hex.slice(0, NAME_LENGTH);
}

/** The prime of 32-bit FNV-1a, and where each half of a working name begins. */
const PRIME = 0x01000193;
const HALVES = [0x811c9dc5, 0x050c5d1f] as const;

/**
 * What a program is called while it is compiled, and in stack traces. No digest, which would take a quarter of a small
 * program's time: whose two texts share a name can only mistake its own places.
 */
function workingName(source: string): string {
  let [high, low]: [number, number] = [...HALVES];
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    high = Math.imul(high ^ code, PRIME);
    low = Math.imul(low ^ (code + index), PRIME);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(NAME_LENGTH / 2, '0')).join('');
}

/** Reads a text, refusing what is not valid UTF-8. */
export function readSource(source: string): Syntax[] {
  const lone = loneSurrogateOffset(source);
  if (lone >= 0) throw parseError('The source is not valid UTF-8', lone);
  return readForms(source);
}

/** Compiles a dynamic program. Throws `CompileFailure`; nothing of the program has run then. */
export function compileProgram(source: string, analysisContext: AnalysisContext): CompiledProgram {
  const { code, ...program } = compiled(source, analysisContext, false);
  return { ...program, ...named(code, program.name) };
}

/** The places of a program that compiled before (`emitter/places.ts`); none where its code is another one now. */
export function programPlaces(source: string, analysisContext: AnalysisContext, before: CompiledProgram): string {
  const { code, places } = takeMarks(compiled(source, analysisContext, true).code);
  return named(code, before.name).code === before.code ? places : '';
}

/**
 * The places of a piece of a program's code (`codeOfUnits`), compiled among the same definitions; none where it is of
 * another program.
 */
export function piecePlaces(source: string, analysisContext: AnalysisContext, { block, code }: CodePiece): string {
  const { code: marked, name } = compiled(source, analysisContext, true);
  const exact = named(takeMarks(marked).code, name);
  if (exact.block !== block) return '';
  const units = [...codeBlock(block, code).entries.values()].flatMap((entry) =>
    entry.kind === 'unit' ? [entry.index] : [],
  );
  const piece = takeMarks(codeOfUnits(codeBlock(block, marked), new Set(units)));
  return piece.code === code ? piece.places : '';
}

function compiled(source: string, analysisContext: AnalysisContext, marks: boolean): Omit<CompiledProgram, 'block'> {
  const forms = readSource(source);
  const names = new Names(analysisContext);
  const analyser = new Analyser(source, analysisContext, names);
  const name = workingName(source);
  const block = new Block(name, marks);
  for (const form of forms) {
    analyser.locals.restart();
    addForm(block, analyser.analyse(form, rootContext()));
  }
  refusePrivateTools(names.tools);
  refuseUnknownTools(names, analysisContext);
  const unbound = names.unboundFault();
  if (unbound !== null) throw unbound;
  return {
    name,
    code: block.text(),
    forms,
    namespace: names.current,
    definitions: names.ownDefinitions(),
    references: new Set(names.references.map(({ variable }) => `${variable.namespace}/${variable.name}`)),
    required: analysisContext.required === undefined ? null : requiredAfter(names),
  };
}

function requiredAfter(names: Names): RequiredNames {
  const required = names.required();
  const most = Math.max(...[required.aliases, required.refers].map((texts) => Object.keys(texts).length));
  if (most <= MOST_REQUIRED_NAMES) return required;
  throw new CompileFailure('symbol_limit_exceeded', `A session may require ${MOST_REQUIRED_NAMES} names`, null);
}

/**
 * Calls a block by what it is: one source may compile to different code, where the definitions around it differ, and
 * functions are found again by the name of their block.
 */
function named(code: string, name: string): Pick<CompiledProgram, 'code' | 'block'> {
  const naming = `units("${name}")`;
  if (!code.includes(naming)) return { code, block: null };
  const exact = blockName(code);
  return { code: code.replace(naming, `units("${exact}")`), block: exact };
}

/** Tools that a message lists. */
const NAMED = 16;

/** Names that must not stop a program before it runs: every tool it mentions is granted (language.md §14). */
function refuseUnknownTools(names: Names, analysisContext: AnalysisContext): void {
  const { tools } = analysisContext;
  if (tools === null) return;
  const unknown = names.tools.filter((use) => !tools.has(use.name));
  const [first] = unknown;
  if (first === undefined) return;
  const missing = [...new Set(unknown.map(({ form }) => form))];
  const granted = [...tools].toSorted().map((name) => `tool/${name}`);
  const near = suggestions(first.name, [...tools]).map((name) => `${first.node.namespace ?? 'tool'}/${name}`);
  const hint =
    near.length > 0
      ? ` (did you mean ${near.join(', ')}?)`
      : granted.length > 0
        ? `; granted: ${granted.slice(0, NAMED).join(', ')}`
        : '; no tool is granted';
  throw new CompileFailure('unknown_tool', `Unknown tool: ${missing.join(', ')}${hint}`, first.node, {
    unknown_tools: missing,
    available: granted,
  });
}
