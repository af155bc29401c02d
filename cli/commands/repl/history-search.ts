import { visibleText } from '../../../contract/visible-text.ts';
import { beginSearch, pressKey, type SearchState } from './search-machine.ts';
import type { KeySearch } from './typed-keys.ts';

export interface HistorySearchOptions {
  readonly write: (text: string) => void;
  /** Newest first. */
  readonly forms: () => readonly string[];
  /** What is edited now. */
  readonly edited: () => string;
  /** Makes a text the one that is edited. */
  readonly edit: (text: string) => void;
  /** Shows the prompt with what is edited again. */
  readonly redraw: () => void;
}

const CLEAR = '\r\u001b[J';
/** What is longer than the window is cut off at its edge. */
const UNWRAPPED = '\u001b[?7l';
const WRAPPED = '\u001b[?7h';

/**
 * Ctrl+R: the newest form that holds what is typed; again, the one before it. Enter evaluates it, any other key edits
 * it, Ctrl+C and Ctrl+G give what was there before.
 */
export function historySearch({ write, forms, edited, edit, redraw }: HistorySearchOptions): KeySearch {
  let search: SearchState | null = null;

  function goOn(state: SearchState): void {
    search = state;
    write(`${CLEAR}${UNWRAPPED}${searchLine(state, forms())}${WRAPPED}`);
  }

  function end(text: string): void {
    search = null;
    write(CLEAR);
    redraw();
    edit(text);
  }

  return {
    isActive: () => search !== null,
    begin: () => {
      const before = edited();
      edit('');
      goOn(beginSearch(before));
    },
    take: (keys) => {
      let used = 0;
      for (const key of keys) {
        if (search === null) break;
        used += key.length;
        const step = pressKey(search, key, forms());
        if (step.kind === 'goes-on') goOn(step.state);
        else {
          end(step.text);
          return step.rest + keys.slice(used);
        }
      }
      return keys.slice(used);
    },
  };
}

function searchLine({ query, at }: SearchState, forms: readonly string[]): string {
  const found = forms[at];
  const label = found === undefined && query !== '' ? 'search, nothing found' : 'search';
  return `(${label}) ${visibleText(query)}: ${visibleText(found ?? '')}`;
}
