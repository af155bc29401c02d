import { visibleText } from '../../../contract/visible-text.ts';
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

const ENTER = /^[\r\n]$/;
const ERASE = /^[\u007f\b]$/;
/** Ctrl+C and Ctrl+G. */
const CANCEL = /^[\u0003\u0007]$/;
const CTRL_R = '\u0012';
/** Any other key that moves or edits goes to the editor, with what was found. */
// eslint-disable-next-line no-control-regex
const EDITS = /^[\u0000-\u001f]$/;

const CLEAR = '\r\u001b[J';
/** What is longer than the window is cut off at its edge. */
const UNWRAPPED = '\u001b[?7l';
const WRAPPED = '\u001b[?7h';

/**
 * Ctrl+R: the newest form that holds what is typed; again, the one before it. Enter evaluates it, any other key edits
 * it, Ctrl+C and Ctrl+G give what was there before.
 */
export function historySearch({ write, forms, edited, edit, redraw }: HistorySearchOptions): KeySearch {
  let isActive = false;
  let before = '';
  let query = '';
  /** The place of what was found; -1: nothing yet. */
  let at = -1;

  function find(from: number): void {
    const found = query === '' ? -1 : forms().findIndex((form, index) => index >= from && form.includes(query));
    // Without an older one the last that was found stays.
    if (found !== -1 || from === 0) at = found;
    draw();
  }

  function draw(): void {
    const found = forms()[at];
    const label = found === undefined && query !== '' ? 'search, nothing found' : 'search';
    write(`${CLEAR}${UNWRAPPED}(${label}) ${visibleText(query)}: ${visibleText(found ?? '')}${WRAPPED}`);
  }

  function end(text: string): void {
    isActive = false;
    write(CLEAR);
    redraw();
    edit(text);
  }

  /** What the editor is to have of a key; null: the search goes on. */
  function press(key: string): string | null {
    const found = forms()[at] ?? before;
    if (ENTER.test(key)) {
      end(found);
      return key;
    }
    if (CANCEL.test(key)) {
      end(before);
      return '';
    }
    if (key === CTRL_R) find(at + 1);
    else if (ERASE.test(key)) {
      query = Array.from(query).slice(0, -1).join('');
      find(0);
    } else if (EDITS.test(key)) {
      end(found);
      return key;
    } else {
      query += key;
      find(Math.max(0, at));
    }
    return null;
  }

  return {
    isActive: () => isActive,
    begin: () => {
      [isActive, before, query, at] = [true, edited(), '', -1];
      edit('');
      draw();
    },
    take: (keys) => {
      let taken = 0;
      for (const key of keys) {
        taken += key.length;
        const rest = press(key);
        if (rest !== null) return rest + keys.slice(taken);
      }
      return '';
    },
  };
}
