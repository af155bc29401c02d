/**
 * Runs the official conformance runner once for each message of its parent, whose words are those of its command line,
 * and answers when it has ended. What it imports is loaded once: two thirds of a second of every start.
 */
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const RUNNER = pathToFileURL(
  join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js'),
).href;
const ENDED = new Error('the runner ended');
const connections = new Set<Socket>();
let runs = 0;
let isRunning = false;

subscribe('net.client.socket', (message) => {
  const socket: unknown = Object(message).socket;
  if (!(socket instanceof Socket)) return;
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});

/** A run is over where it would end its process, with its connections. It catches what is thrown, and ends again. */
process.exit = () => {
  if (isRunning) {
    isRunning = false;
    for (const socket of connections) socket.destroy();
    // What they leave behind fails before the next run.
    setTimeout(() => process.send?.('ended'), 1);
  }
  throw ENDED;
};
process.on('uncaughtException', (error) => {
  if (error === ENDED || !isRunning) return;
  process.stderr.write(`${error.stack}\n`);
  process.abort();
});
process.on('message', (words: readonly string[]) => {
  process.argv = [process.execPath, 'conformance', ...words];
  runs += 1;
  isRunning = true;
  // A module of its own for each run: it reads its words, and begins, when it is loaded.
  void import(`${RUNNER}?run=${runs}`);
});
