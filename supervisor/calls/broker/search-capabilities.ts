import { compareUtf8, utf8Length } from '../../../contract/json/utf8.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { capabilityForm } from '../capability-form.ts';
import type { Capability } from './capability.ts';

/** What a search reads of a capability. */
export type SearchedCapability = Pick<Capability, 'name' | 'upstreamName' | 'description' | 'effect' | 'inputSchema'>;

/** Characters of what is sought; hits of an answer, its bytes, and characters of a description in it. */
export const WORDS_LENGTH_MAX = 400;
const HITS_MAX = 10;
const ANSWER_BYTES = 6144;
const DOC_LENGTH_MAX = 300;

/** The usual constants of BM25: how soon a repeated word counts no more, how much a long text is held back. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** A word of a name says more than one of a description. */
const NAME_WEIGHT = 3;

/** The capabilities that have to do with some words, best first (world.md §2.6): `{hits, total}`. */
export function searchCapabilities(capabilities: readonly SearchedCapability[], words: string): JsonObject {
  return answerOf(rankCapabilities(capabilities, words));
}

/** What a ranking reads. */
type Ranked = Pick<SearchedCapability, 'name' | 'upstreamName' | 'description' | 'inputSchema'>;

/**
 * Those that have to do with some words, best first. The same words find the same in the same order: an exact name
 * comes first, equals are ordered by name.
 */
export function rankCapabilities<T extends Ranked>(capabilities: readonly T[], words: string): readonly T[] {
  const wanted = [...new Set(wordsOf(words))];
  const texts = capabilities.map((capability) => ({ capability, ...textOf(capability) }));
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const rarity = new Map(
    wanted.map((word) => {
      const having = texts.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const exact = words.trim().toLowerCase();
  const scored = texts.flatMap(({ capability, counts, length }) => {
    const saturation = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / mean);
    const score = wanted.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      return sum + ((rarity.get(word) ?? 0) * count * (SATURATION + 1)) / (count + saturation);
    }, 0);
    const isNamed = [capability.name, capability.upstreamName?.toLowerCase()].includes(exact);
    const found = isNamed ? Number.MAX_VALUE : score;
    return found > 0 ? [{ capability, score: found }] : [];
  });
  const sorted = scored.toSorted(
    (left, right) => right.score - left.score || compareUtf8(left.capability.name, right.capability.name),
  );
  return sorted.map(({ capability }) => capability);
}

/** As many as there is room for, and how many there are. */
function answerOf(found: readonly SearchedCapability[]): JsonObject {
  const hits: JsonValue[] = [];
  const answer = (): JsonObject =>
    new Map<string, JsonValue>([
      ['hits', [...hits]],
      ['total', found.length],
    ]);
  for (const capability of found.slice(0, HITS_MAX)) {
    hits.push(hitOf(capability));
    if (utf8Length(canonicalJson(answer())) <= ANSWER_BYTES) continue;
    hits.pop();
    break;
  }
  return answer();
}

function hitOf({ name, description, effect, inputSchema }: SearchedCapability): JsonObject {
  const doc = Array.from(description.replaceAll(/\s+/g, ' ').trim());
  return new Map([
    ['name', name],
    ['call', capabilityForm({ name, inputSchema })],
    ['doc', doc.length <= DOC_LENGTH_MAX ? doc.join('') : `${doc.slice(0, DOC_LENGTH_MAX - 1).join('')}…`],
    ['effect', effect],
  ]);
}

/** What was counted of each before: it never changes, and there may be thousands (code-mode.md §8). */
const counted = new WeakMap<Ranked, SearchedText>();

interface SearchedText {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function textOf(capability: Ranked): SearchedText {
  const known = counted.get(capability);
  if (known !== undefined) return known;
  const text = countWords(capability);
  counted.set(capability, text);
  return text;
}

function countWords({ name, upstreamName = '', description, inputSchema }: Ranked): SearchedText {
  const properties = isJsonObject(inputSchema) ? inputSchema.get('properties') : undefined;
  const parameters = isJsonObject(properties) ? [...properties.keys()] : [];
  const counts = new Map<string, number>();
  const count = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  count(name, NAME_WEIGHT);
  // Mostly the words of its name, which count once.
  for (const word of new Set(wordsOf(upstreamName))) if (!counts.has(word)) counts.set(word, NAME_WEIGHT);
  count(description, 1);
  for (const parameter of parameters) count(parameter, 1);
  return { counts, length: [...counts.values()].reduce((sum, each) => sum + each, 0) };
}

/** Words in lower case, `camelCase` and `snake_case` split, plurals as their singular. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

const PLURAL_LENGTH_MIN = 4;

function singular(word: string): string {
  if (word.length < PLURAL_LENGTH_MIN || word.endsWith('ss') || !word.endsWith('s')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
