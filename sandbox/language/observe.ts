import type { Observation } from '../../contract/sandbox-protocol.ts';
import { boundedPreview, fillingPreview, sampledKeys, type Preview } from '../runtime/preview.ts';
import { LEAST_PREVIEW_CHARACTERS } from '../runtime/preview-bounds.ts';

/*
 * What a model is shown of an evaluation (agent-library.md §8): the value behind a prompt, then what was printed.
 */

const PROMPT = 'user=> ';
const PRINTS = '\nprintln:\n';
/** Of the characters a third is kept for prints, but no more than this. */
const MOST_FOR_PRINTS = 512;
const SAMPLED_KEYS = 24;
const SAMPLED_KEY_CHARACTERS = 64;
/** Levels that are shown of a value; deeper ones stay cut. */
const GREATEST_DEPTH = 64;

/** The text for a value and its prints, at most `characters` UTF-16 units; never throws for what the value does. */
export function observe(value: unknown, prints: readonly string[], characters: number): Observation {
  const wantedByPrints = prints.reduce((sum, entry) => sum + entry.length + 1, PRINTS.length - 1);
  const reserved = prints.length === 0 ? 0 : Math.min(Math.floor(characters / 3), MOST_FOR_PRINTS, wantedByPrints);
  const shown =
    characters <= PROMPT.length ? NOTHING : previewOf(value, Math.max(characters - PROMPT.length - reserved, 1));
  const text = (PROMPT + shown.text).slice(0, characters);
  const printed = printedWhole(prints, characters - text.length);
  const prints_truncated = printed.length < prints.length;
  return {
    text: printed.length === 0 ? text : text + PRINTS + printed.join('\n'),
    value_truncated: shown.caps.length > 0,
    prints_truncated,
    caps_hit: prints_truncated ? [...shown.caps, 'prints'] : shown.caps,
    sampled_keys: shown.caps.length === 0 ? [] : sampledKeys(shown.map, SAMPLED_KEYS, SAMPLED_KEY_CHARACTERS),
  };
}

const NOTHING: Preview = { text: '', caps: ['output'], map: null };
/** A value whose lazy parts fail when they are looked at. */
const UNSHOWN: Preview = { ...NOTHING, text: '...' };

/** As the usual preview where that is whole; else as much as there is room for, of what the usual one has computed. */
function previewOf(value: unknown, characters: number): Preview {
  try {
    const usual = cut(boundedPreview(value, Math.max(characters, LEAST_PREVIEW_CHARACTERS)), characters);
    if (usual.caps.length === 0) return usual;
    const filling = fillingPreview(value, characters, {
      items: characters,
      depth: GREATEST_DEPTH,
      nodes: characters,
      string: characters,
      realises: false,
    });
    return filling.text === '' ? usual : filling;
  } catch {
    return cut(UNSHOWN, characters);
  }
}

function cut(preview: Preview, characters: number): Preview {
  if (preview.text.length <= characters) return preview;
  const caps = preview.caps.includes('output') ? preview.caps : [...preview.caps, 'output' as const];
  return { ...preview, text: preview.text.slice(0, characters), caps };
}

/** Entries from the first on, each whole, as long as they fit with their heading. */
function printedWhole(prints: readonly string[], room: number): readonly string[] {
  let used = PRINTS.length;
  let count = 0;
  for (const entry of prints) {
    used += entry.length + (count === 0 ? 0 : 1);
    if (used > room) break;
    count += 1;
  }
  return prints.slice(0, count);
}
