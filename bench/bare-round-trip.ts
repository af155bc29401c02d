/** The floor of what a message costs: from this process to another that does nothing else, and back, over a pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { median } from './figure.ts';

const PIPE = 3;
const TRIPS = 2000;
const ECHO = `const pipe = new (require('node:net').Socket)({ fd: ${PIPE} }); pipe.on('data', (bytes) => pipe.write(bytes));`;

/** Milliseconds, a median. */
export async function bareRoundTripMs(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const pipe = child.stdio[PIPE];
  if (!(pipe instanceof Duplex)) throw new Error('a child without its pipe');
  const samples: number[] = [];
  for (let trip = 0; trip < TRIPS; trip += 1) {
    const started = performance.now();
    pipe.write('{"n":1}');
    await once(pipe, 'data');
    samples.push(performance.now() - started);
  }
  child.kill();
  return median(samples.slice(TRIPS / 4));
}
