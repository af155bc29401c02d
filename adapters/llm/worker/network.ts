import * as Comlink from 'comlink';
import { parentPort } from 'node:worker_threads';
import { threadEndpoint } from '../../threads/thread-endpoint.ts';
import { conversations } from '../conversations.ts';

/** The thread that holds the sockets and the credentials of models. It outlives every worker that writes or reads. */
if (parentPort === null) throw new Error('this is a thread');
Comlink.expose(conversations(), threadEndpoint(parentPort));
