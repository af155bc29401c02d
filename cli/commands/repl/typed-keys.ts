import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { byLetters, type EditedLine } from './letter-keys.ts';

/** A search through earlier forms, which has the keys while it goes on. */
export interface KeySearch {
  readonly isActive: () => boolean;
  readonly begin: () => void;
  /** Takes keys while it is active; the rest, which is the editor's again. */
  readonly take: (keys: string) => string;
}

export interface TypedKeysOptions {
  readonly input: Readable;
  /** Ctrl+C while nobody waits for a line. */
  readonly interrupt: () => void;
  /** Null: Ctrl+R is the editor's. */
  readonly search: KeySearch | null;
  /** What the editor holds. */
  readonly edited: () => EditedLine;
}

/** What is typed at a terminal, as an editor of lines is to see it: no further than the line that is waited for. */
export interface TypedKeys {
  readonly editorInput: Readable;
  /** Lets a line through. */
  readonly release: () => void;
  /** Forgets what was typed ahead. */
  readonly drop: () => void;
  readonly close: () => void;
}

const CTRL_C = '\u0003';
const CTRL_R = '\u0012';
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** What ends the part of a line that the editor gets at once: the line, the form, or a search that begins. */
const STOP = new RegExp(`\\r\\n?|\\n|${CTRL_C}|${CTRL_R}`);

/** Whole pastes, and one that has not ended. */
const PASTES = /\u001b\[200~[^]*?(?:\u001b\[201~|$)/g;

/** Keys that are kept for later prompts, in UTF-16 units; what is typed beyond them is dropped. */
const MOST_STORED = 4 * 1024 * 1024;

/**
 * Keeps what is typed while a form is evaluated until the next prompt is shown, so that it is echoed there and not
 * among what the form prints (first-day.md §6). Ctrl+C drops it, as a terminal does.
 */
export function typedKeys({ input, interrupt, search, edited }: TypedKeysOptions): TypedKeys {
  const editorInput = new Readable({ read: () => undefined });
  // The editor asks its input for the mode of the terminal.
  if ('setRawMode' in input && typeof input.setRawMode === 'function') {
    const { setRawMode } = input;
    Object.assign(editorInput, { isTTY: true, setRawMode: (isRaw: boolean) => void setRawMode.call(input, isRaw) });
  }
  const decoder = new StringDecoder('utf8');
  let buffered = '';
  let isHeld = true;
  let isPasting = false;

  const give = (keys: string): void => {
    // At once, and not when the stream has its turn: what comes after a line depends on what became of it.
    if (keys !== '') editorInput.emit('data', keys);
  };

  const giveLetters = (keys: string): void => {
    for (const part of byLetters(keys, edited)) give(part);
  };

  /** Where the keys are pasted they are text, line ends and control characters as well. */
  function givePaste(): void {
    const end = buffered.indexOf(PASTE_END);
    const length = end === -1 ? buffered.length : end + PASTE_END.length;
    give(buffered.slice(0, length));
    buffered = buffered.slice(length);
    isPasting = end === -1;
  }

  function giveTyped(): void {
    const paste = buffered.indexOf(PASTE_START);
    const typed = paste === -1 ? buffered : buffered.slice(0, paste);
    const stop = STOP.exec(typed);
    if (stop === null) {
      const length = paste === -1 ? buffered.length : paste + PASTE_START.length;
      giveLetters(buffered.slice(0, length));
      buffered = buffered.slice(length);
      isPasting = paste !== -1;
      return;
    }
    const before = buffered.slice(0, stop.index);
    buffered = buffered.slice(stop.index + stop[0].length);
    if (stop[0] === CTRL_R && search !== null) {
      giveLetters(before);
      search.begin();
      return;
    }
    // Held first: the editor hands its line out while it is given the key.
    isHeld = stop[0] !== CTRL_R;
    giveLetters(before);
    give(stop[0]);
  }

  function pump(): void {
    while (buffered !== '') {
      if (search?.isActive() === true) buffered = search.take(buffered);
      else if (isHeld) {
        act();
        return;
      } else if (isPasting) givePaste();
      else giveTyped();
    }
  }

  /** Ctrl+C acts at once though nobody waits for a line, unless it is part of a paste. */
  function act(): void {
    const at = buffered.replaceAll(PASTES, (paste) => ' '.repeat(paste.length)).lastIndexOf(CTRL_C);
    if (at === -1) return;
    buffered = buffered.slice(at + 1);
    interrupt();
  }

  const arrived = (chunk: Buffer | string): void => {
    buffered = (buffered + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).slice(0, MOST_STORED);
    pump();
  };
  const ended = (): void => void editorInput.emit('end');
  input.on('data', arrived);
  input.on('end', ended);
  input.on('error', ended);
  return {
    editorInput,
    release: () => {
      isHeld = false;
      pump();
    },
    drop: () => {
      buffered = '';
    },
    close: () => {
      input.off('data', arrived);
      input.off('end', ended);
      input.pause();
    },
  };
}
