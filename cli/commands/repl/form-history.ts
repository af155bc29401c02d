import type { Interface } from 'node:readline';

/** Forms that can be recalled; the file is bounded by bytes. */
const MOST_FORMS = 10_000;

/** Forms of this session and earlier ones, as the keys of the editor recall them: whole, also over several lines. */
export interface FormHistory {
  /** For the editor, which changes it. */
  readonly editorEntries: string[];
  /** Keeps what the editor adds by itself, line by line, out of what is recalled. */
  readonly attach: (editor: Interface) => void;
  readonly remember: (form: string) => void;
  /** Newest first. */
  readonly forms: () => readonly string[];
  /** Makes a text the one that is edited, whatever its lines. */
  readonly edit: (text: string) => void;
}

const END = { ctrl: true, name: 'e' } as const;
const CLEAR_LINE = { ctrl: true, name: 'u' } as const;

/** `earlier`: oldest first. */
export function formHistory(earlier: readonly string[]): FormHistory {
  let forms = earlier.toReversed();
  let entries = forms.map((form) => entryOf(form));
  let editor: Interface | null = null;

  function fill(wanted: readonly string[]): void {
    entries.splice(0, entries.length, ...wanted);
  }

  function restore(): void {
    fill(forms.map((form) => entryOf(form)));
  }

  const press = (key: Readonly<Record<string, unknown>>): void => editor?.write(null, { ...key });

  return {
    editorEntries: entries,
    attach: (input) => {
      editor = input;
      input.on('history', (lines) => {
        entries = lines;
        restore();
      });
    },
    remember: (form) => {
      if (form.trim() === '') return;
      forms = [form, ...forms.filter((other) => other !== form)].slice(0, MOST_FORMS);
      restore();
    },
    forms: () => forms,
    edit: (text) => {
      press(END);
      press(CLEAR_LINE);
      // From the place that the keys had led to, back to where they begin; then to the only entry that there is.
      fill(Array.from({ length: entries.length + 1 }, () => ''));
      press({ name: 'down' });
      if (text !== '') {
        fill([entryOf(text)]);
        press({ name: 'up' });
      }
      restore();
    },
  };
}

/** How the editor keeps a text of several lines: the last one first, with carriage returns between them. */
function entryOf(form: string): string {
  return form.split('\n').toReversed().join('\r');
}
