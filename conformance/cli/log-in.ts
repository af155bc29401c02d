import { until } from '../until.ts';
import { start, type Ended, type Invocation, type Started } from './program.ts';

/** Where a person is sent who has to authorise something. */
export const GO = /to authorize, open (\S+)\n/;

/** What a person sees of a program at work. */
export interface Terminal {
  /** Standard error so far. */
  said(): string;
  isOver(): boolean;
  /** Where it sends the person, once it does; null where it ends without. */
  address(): Promise<string | null>;
}

export function watchTerminal({ child, ended }: Started): Terminal {
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  return {
    said: () => said,
    isOver: () => isOver,
    address: async () => until('where to go', () => GO.exec(said)?.[1] ?? (isOver ? null : undefined)),
  };
}

/** `svc auth login` with a person who follows the address that the terminal shows. */
export async function logIn(
  { argv, ...invocation }: Invocation,
  follow: (address: string) => Promise<unknown>,
): Promise<Ended> {
  const started = start({ argv: ['auth', 'login', ...argv], ...invocation });
  const address = await watchTerminal(started).address();
  if (address !== null) await follow(address);
  return started.ended;
}
