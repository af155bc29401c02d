/**
 * A bare HTTP server that reads each body and answers with the bytes of the file that the first argument names; prints
 * its address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = readFileSync(process.argv[2] ?? '');
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': answer.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port }: AddressInfo = Object(server.address());
  process.stdout.write(`http://127.0.0.1:${String(port)}/mcp\n`);
});
