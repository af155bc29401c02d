import * as Comlink from 'comlink';
import { parentPort } from 'node:worker_threads';
import { threadEndpoint } from '../../threads/thread-endpoint.ts';
import { connections } from '../connections.ts';

/** The thread that holds the children and the sockets of servers. It outlives every worker that reads what they say. */
if (parentPort === null) throw new Error('this is a thread');
Comlink.expose(connections(), threadEndpoint(parentPort));
