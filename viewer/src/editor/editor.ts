import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { svcLisp } from './language.ts';

/** A place in a text, both from 1; columns are counted in code points. */
export interface EditorPlace {
  readonly line: number;
  readonly column: number;
}

/** What an editor reports, and asks for. */
export interface EditorEvents {
  readonly onText: (text: string) => void;
  readonly onSubmit: () => void;
  /** Escape, where no list of candidates is open. */
  readonly onEscape: () => void;
  /** An arrow out of the text: what takes its place; null: nothing. */
  readonly onArrow: (direction: 'up' | 'down', text: string) => string | null;
  /** Names that could be in place of a word. */
  readonly candidates: (word: string) => Promise<readonly string[]>;
}

export interface Editor {
  /** Replaces all of it; the cursor goes to `place`, or to the end. */
  set(text: string, place?: EditorPlace | null): void;
  focus(): void;
  close(): void;
}

/** What ends a word of the language (language.md §2). */
const WORD = /[^\s,;"'`~@^()[\]{}\\#]+$/;

const look = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--back)',
    fontSize: '.93rem',
    border: '1px solid var(--line)',
    borderRadius: '5px',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace",
    lineHeight: '1.5',
    minHeight: '7.5rem',
    maxHeight: '45vh',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--chosen)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--chosen)', outline: '1px solid var(--link)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-back)', color: 'var(--bad)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-tooltip': { backgroundColor: 'var(--back)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace",
    maxWidth: 'min(30rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--chosen)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
});

/**
 * An editor of svc-lisp below `host`. It is in a shadow of its own: there its rules are sheets that scripts make, which
 * the policy of the page admits, and no element of style.
 */
export function openEditor(host: HTMLElement, label: string, text: string, events: EditorEvents): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const arrow =
    (direction: 'up' | 'down') =>
    (view: EditorView): boolean =>
      leave(view, direction, events);
  const keys = [
    {
      key: 'Mod-Enter',
      run: () => {
        events.onSubmit();
        return true;
      },
    },
    { key: 'Tab', run: acceptCompletion },
    ...completionKeymap,
    {
      key: 'Escape',
      run: () => {
        events.onEscape();
        return true;
      },
    },
    { key: 'ArrowUp', run: arrow('up') },
    { key: 'ArrowDown', run: arrow('down') },
    ...closeBracketsKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ];
  const extensions = [
    keymap.of(keys),
    lineNumbers(),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    bracketMatching(),
    closeBrackets(),
    svcLisp(),
    look,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) events.onText(update.state.doc.toString());
    }),
    autocompletion({ override: [async (context) => completions(context, events)], icons: false, defaultKeymap: false }),
  ];
  const view = new EditorView({ parent: root, root, state: EditorState.create({ doc: text, extensions }) });
  const lists = new MutationObserver(() => {
    // A list that scrolls can be reached by anyone who has no pointer.
    for (const list of root.querySelectorAll<HTMLElement>('[role="listbox"]')) list.tabIndex = 0;
  });
  lists.observe(root, { childList: true, subtree: true });
  return {
    set: (text, place = null) => {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      const at = place === null ? view.state.doc.length : offsetOf(view.state, place);
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    },
    focus: () => {
      view.focus();
    },
    close: () => {
      lists.disconnect();
      view.destroy();
    },
  };
}

/** Arrows move in the text first; only from its first or last line they lead to what was said before. */
function leave(view: EditorView, direction: 'up' | 'down', { onArrow }: EditorEvents): boolean {
  const { doc, selection } = view.state;
  const { number } = doc.lineAt(selection.main.head);
  if (!selection.main.empty || number !== (direction === 'up' ? 1 : doc.lines)) return false;
  const text = onArrow(direction, doc.toString());
  if (text === null) return false;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: text },
    selection: { anchor: text.length },
    scrollIntoView: true,
  });
  return true;
}

async function completions(context: CompletionContext, { candidates }: EditorEvents): Promise<CompletionResult | null> {
  const word = context.matchBefore(WORD);
  if (word === null && !context.explicit) return null;
  const names = await candidates(word?.text ?? '');
  if (context.aborted || names.length === 0) return null;
  return {
    from: word?.from ?? context.pos,
    options: names.map((label) => ({ label, type: label.endsWith('/') ? 'namespace' : 'variable' })),
    filter: false,
  };
}

function offsetOf({ doc }: EditorState, { line, column }: EditorPlace): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  return (
    from +
    Array.from(text)
      .slice(0, column - 1)
      .join('').length
  );
}
