import { start, type Ended } from '../../../conformance/cli/program.ts';

/** A viewer that listens. */
export interface ServedViewer {
  readonly url: string;
  /** Asks it to stop, and waits until it did. */
  stop(): Promise<Ended>;
}

const URL_LINE = /^(http:\/\/\S+)$/m;

export async function serve(
  directory: string,
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedViewer> {
  const { child, ended } = start({ argv: ['viewer', ...argv], directory, environment, options: { timeout: 0 } });
  let reported = '';
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout?.on('data', (text: string) => {
        reported += text;
        const [, found] = URL_LINE.exec(reported) ?? [];
        if (found !== undefined && reported.includes('\n', reported.indexOf(found))) resolve(found);
      });
    }),
    ended.then(({ status, stderr }) => {
      throw new Error(`the viewer ended: ${status} ${stderr}`);
    }),
  ]);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
