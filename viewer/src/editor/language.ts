import {
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  indentService,
  syntaxHighlighting,
  type StringStream,
} from '@codemirror/language';
import { tags } from '@lezer/highlight';

const OPENING = '([{';
const SPACING = 2;

interface State {
  isInString: boolean;
  isAfterParen: boolean;
}

function token(stream: StringStream, state: State): string | null {
  if (state.isInString) return restOfString(stream, state);
  if (stream.eatSpace()) return null;
  const isHead = state.isAfterParen;
  state.isAfterParen = false;
  if (stream.match(/^;.*/)) return 'comment';
  if (stream.eat('"')) {
    state.isInString = true;
    return restOfString(stream, state);
  }
  if (stream.match(/^\\(?:[a-z]+|u[0-9a-fA-F]{4}|.)/)) return 'string';
  if (stream.match(/^:[^\s,;"()[\]{}]+/)) return 'atom';
  if (stream.match(/^[-+]?\d[^\s,;"()[\]{}]*/)) return 'number';
  if (stream.eat(/[()[\]{}]/)) {
    state.isAfterParen = stream.current() === '(';
    return 'bracket';
  }
  if (stream.match(/^[^\s,;"()[\]{}:]+/)) return isHead ? 'keyword' : 'variableName';
  stream.next();
  return null;
}

function restOfString(stream: StringStream, state: State): string {
  for (let unit = stream.next(); unit !== undefined; unit = stream.next()) {
    if (unit === '\\') stream.next();
    else if (unit === '"') {
      state.isInString = false;
      break;
    }
  }
  return 'string';
}

const parser = StreamLanguage.define<State>({
  name: 'svc-lisp',
  startState: () => ({ isInString: false, isAfterParen: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: {
    commentTokens: { line: ';' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    wordChars: '-?!*+<>=/.',
  },
});

/** The colours of a program elsewhere on the page, which reach into the editor as custom properties. */
const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--t-comment)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--t-string)' },
  { tag: tags.atom, color: 'var(--t-keyword)' },
  { tag: tags.number, color: 'var(--t-number)' },
  { tag: tags.keyword, color: 'var(--t-form)', fontWeight: '600' },
  { tag: tags.bracket, color: 'var(--t-paren)' },
]);

/**
 * Under the first thing in the innermost bracket that is open there. Comments and strings with brackets in them are
 * taken as they look.
 */
const indentation = indentService.of((context, position) => {
  let depth = 0;
  for (let line = context.state.doc.lineAt(position).number - 1; line >= 1; line -= 1) {
    const { text } = context.state.doc.line(line);
    for (let column = text.length - 1; column >= 0; column -= 1) {
      const unit = text[column] ?? '';
      if (')]}'.includes(unit)) depth += 1;
      else if (OPENING.includes(unit)) depth -= 1;
      if (depth < 0) return column + (unit === '(' ? SPACING : 1);
    }
  }
  return 0;
});

/** What an editor knows of svc-lisp: its colours, brackets and indentation. */
export function svcLisp(): LanguageSupport {
  return new LanguageSupport(parser, [syntaxHighlighting(colours), indentation]);
}
