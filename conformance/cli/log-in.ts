import { until } from '../until.ts';
import { start, type Ended, type Invocation } from './program.ts';

/** Where a person is sent by `svc auth login`. */
export const GO = /to authorize, open (\S+)\n/;

/** `svc auth login` with a person who follows the address that the terminal shows. */
export async function logIn(
  { argv, ...invocation }: Invocation,
  follow: (address: string) => Promise<unknown>,
): Promise<Ended> {
  const { child, ended } = start({ argv: ['auth', 'login', ...argv], ...invocation });
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  const address = await until('where to go', () => GO.exec(said)?.[1] ?? (isOver ? null : undefined));
  if (address !== null) await follow(address);
  return ended;
}
