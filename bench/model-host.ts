/**
 * A process that holds isolates as a sandbox host does, or bare ones of isolated-vm (first argument: `guest` or
 * `bare`), and says what a life of them took (bench/models.ts).
 */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { openGuestIsolate } from '../sandbox/host/guest-isolate.ts';
import { loadSnapshotImage, readGuestImage } from '../sandbox/host/snapshot.ts';
import { V8_FLAGS } from '../sandbox/host/v8-flags.ts';
import type { Life, Lives, Wanted } from './models.ts';

const HEAP_WORDS = 1_250_000;
const TIMEOUT_MS = 30_000;

interface Opened {
  readonly evaluate: (request: string) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** Nothing in it: whatever is asked, it adds two numbers. */
function openBare(): Opened {
  const isolate = new ivm.Isolate({ memoryLimit: 16 });
  const context = isolate.createContextSync();
  return {
    evaluate: async () => {
      await context.eval('1 + 2');
    },
    dispose: async () => isolate.dispose(),
  };
}

async function guestOpener(image: string): Promise<() => Opened> {
  // As sandbox/host/main.ts does.
  setFlagsFromString(V8_FLAGS);
  const loaded = loadSnapshotImage(await readGuestImage(image, 'mission'));
  return () => {
    const isolate = openGuestIsolate(loaded, HEAP_WORDS);
    return {
      async evaluate(request) {
        const answer = await isolate.request({ load: '', text: request, timeoutMs: TIMEOUT_MS, wantsHeap: false }, () =>
          Promise.reject(new Error('no tools are granted')),
        );
        if (answer.type !== 'replied' || !answer.text.includes('"outcome":"continued"'))
          throw new Error(JSON.stringify(answer).slice(0, 500));
      },
      dispose: () => isolate.dispose(),
    };
  };
}

async function lives(open: () => Opened, { count, requests }: Wanted): Promise<Lives> {
  const opened: Opened[] = [];
  const [bytesBefore, cpuBefore, started] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
  const all = await Promise.all(
    Array.from({ length: count }, async (): Promise<Life> => {
      const started = performance.now();
      const isolate = open();
      opened.push(isolate);
      const openMs = performance.now() - started;
      const evaluateMs: number[] = [];
      for (const request of requests) {
        const requested = performance.now();
        await isolate.evaluate(request);
        evaluateMs.push(performance.now() - requested);
      }
      return { openMs, evaluateMs };
    }),
  );
  const wallMs = performance.now() - started;
  const bytesEach = (process.memoryUsage.rss() - bytesBefore) / count;
  await Promise.all(opened.map(({ dispose }) => dispose()));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { lives: all, wallMs, cpuMs: (user + system) / 1000, bytesEach };
}

const [, , role, image = join(import.meta.dirname, '../dist/guest.snapshot')] = process.argv;
const open = role === 'bare' ? openBare : await guestOpener(image);
process.on('message', (wanted: Wanted) => {
  void lives(open, wanted).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
