/**
 * The command that the official runner starts, `relay.ts SOCKET URL`: hands what it was told to the client, which lives
 * in the suite, and says on its own streams what that came to.
 */
import { connect } from 'node:net';

const [, , path = '', url] = process.argv;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const socket = connect(path);
socket.pipe(process.stdout);
socket.write(`${JSON.stringify({ scenario, url, context })}\n`);
