import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { members, findText } from '../../history/analysis/members.ts';

/** Bytes of the body that asks for a launch (evidence.md §11). */
export const LAUNCH_BYTES = 2_000_010;
/** What is kept of what the started program said. */
const TAIL_BYTES = 2000;
const EXPRESSION_BYTES = 65_536;

/** What the page may ask for: an input of the one application, or an expression in one of its missions. */
export type Wish =
  | { readonly kind: 'run'; readonly input: JsonObject }
  | { readonly kind: 'mission'; readonly mission: string; readonly expression: string };

/** One started program. */
export interface Launched {
  /** Whether it ended well; never rejects. */
  readonly ended: Promise<boolean>;
  stop(): void;
}

/** `onOutput`: called with all that it writes, in order. */
export type StartProgram = (
  argv: readonly string[],
  input: string | null,
  onOutput: (bytes: Uint8Array) => void,
) => Launched;

/** Runs of the project of this viewer, one at a time, each a program of its own as a person would start it. */
export interface Launcher {
  /** False: one is running. */
  start(wish: Wish): boolean;
  /** Asks what runs to end, as Ctrl-C does; false: nothing runs. */
  stop(): boolean;
  /** `status`, and what was said last, once there was one. */
  state(): JsonObject;
  /** Asks what runs to stop, and waits until it did. */
  close(): Promise<void>;
}

/** `document`: the project, as the command line named it. */
export function launcher(document: string, startProgram: StartProgram): Launcher {
  let current: Launched | null = null;
  let status: 'idle' | 'running' | 'ok' | 'error' = 'idle';
  let tail = Buffer.alloc(0);
  async function follow({ ended }: Launched): Promise<void> {
    const isWell = await ended;
    [status, current] = [isWell ? 'ok' : 'error', null];
  }
  return {
    start: (wish) => {
      if (current !== null) return false;
      [status, tail] = ['running', Buffer.alloc(0)];
      const launched = startProgram(
        argumentsOf(document, wish),
        wish.kind === 'run' ? canonicalJson(wish.input) : null,
        (bytes) => {
          tail = Buffer.from(Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES));
        },
      );
      current = launched;
      void follow(launched);
      return true;
    },
    stop: () => {
      current?.stop();
      return current !== null;
    },
    state: () => members({ status, ...(status === 'idle' ? {} : { output_tail: wholeText(tail) }) }),
    close: async () => {
      current?.stop();
      await current?.ended;
    },
  };
}

/** Nothing of the page is where the program looks for options or files. */
function argumentsOf(document: string, wish: Wish): readonly string[] {
  if (wish.kind === 'run') return ['run', document, '--input', '-'];
  return ['repl', '--project', document, '--mission', wish.mission, '-e', wish.expression];
}

/** Null for a body that wishes nothing that can be had. `missions`: names that the project has. */
export function wishOf(body: JsonValue | undefined, missions: readonly string[]): Wish | null {
  if (!isJsonObject(body)) return null;
  const input = body.get('input');
  if (body.size === 1 && isJsonObject(input)) return { kind: 'run', input };
  const [mission, expression] = [findText(body, 'mission'), findText(body, 'expression')];
  if (body.size !== 2 || mission === undefined || expression === undefined) return null;
  const isFit =
    missions.includes(mission) && expression.trim() !== '' && Buffer.byteLength(expression) <= EXPRESSION_BYTES;
  return isFit ? { kind: 'mission', mission, expression } : null;
}

/** Without the rest of a character that was cut in two. */
function wholeText(bytes: Buffer): string {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 ? '' : bytes.toString('utf8', start);
}
