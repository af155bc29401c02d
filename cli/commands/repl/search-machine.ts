/** A search through earlier forms, as a pure machine: a key and a state make the next state, or the end. */
export interface SearchState {
  /** What was edited when it began. */
  readonly before: string;
  readonly query: string;
  /** The place of what was found; -1: nothing yet. */
  readonly at: number;
}

export type SearchStep =
  | { readonly kind: 'goes-on'; readonly state: SearchState }
  /** `text` is edited from here on, and `rest` is for the editor. */
  | { readonly kind: 'ended'; readonly text: string; readonly rest: string };

const ENTER = /^[\r\n]$/;
const ERASE = /^[\u007f\b]$/;
/** Ctrl+C and Ctrl+G. */
const CANCEL = /^[\u0003\u0007]$/;
const CTRL_R = '\u0012';
/** Any other key that moves or edits goes to the editor, with what was found. */
const EDITS = /^[\u0000-\u001f]$/;

export function beginSearch(before: string): SearchState {
  return { before, query: '', at: -1 };
}

/** `forms`: newest first. */
export function pressKey(state: SearchState, key: string, forms: readonly string[]): SearchStep {
  const { before, query, at } = state;
  const found = forms[at] ?? before;
  if (ENTER.test(key)) return { kind: 'ended', text: found, rest: key };
  if (CANCEL.test(key)) return { kind: 'ended', text: before, rest: '' };
  if (key === CTRL_R) return { kind: 'goes-on', state: find(state, at + 1, forms) };
  if (ERASE.test(key)) {
    const shorter = Array.from(query).slice(0, -1).join('');
    return { kind: 'goes-on', state: find({ ...state, query: shorter }, 0, forms) };
  }
  if (EDITS.test(key)) return { kind: 'ended', text: found, rest: key };
  return { kind: 'goes-on', state: find({ ...state, query: query + key }, Math.max(0, at), forms) };
}

function find(state: SearchState, from: number, forms: readonly string[]): SearchState {
  const { query } = state;
  const found = query === '' ? -1 : forms.findIndex((form, index) => index >= from && form.includes(query));
  // Without an older one the last that was found stays.
  return found !== -1 || from === 0 ? { ...state, at: found } : state;
}
