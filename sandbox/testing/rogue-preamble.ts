/**
 * What every rogue can use: `pipe`; `frame(channel, header, body)`; `send(bytes)`; `onCall(f)` with each call that the
 * supervisor makes; `reply(id, body)`. Honest hosts answer `opened` to an open.
 */
export const PREAMBLE = `
const { Socket } = require('node:net');
const pipe = new Socket({ fd: 3, readable: true, writable: true });
pipe.on('error', () => {});
const frame = (channel, header, body = '') => {
  const h = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)), b = Buffer.from(body),
    all = Buffer.alloc(7);
  all.writeUInt32BE(3 + h.length + b.length, 0); all.writeUInt8(channel, 4); all.writeUInt16BE(h.length, 5);
  return Buffer.concat([all, h, b]);
};
const HOST = 0, BROKER = 1;
const send = (bytes) => pipe.write(bytes);
const reply = (id, body) => send(frame(HOST, id, body));
let listener = () => {};
const onCall = (f) => { listener = f; };
let held = Buffer.alloc(0);
pipe.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
    const size = held.readUInt32BE(0), header = held.readUInt16BE(5);
    const [id, method, ...texts] = String(held.subarray(7, 7 + header)).split(' ');
    const call = { id, method, arguments: texts }, body = String(held.subarray(7 + header, 4 + size));
    const channel = held[4]; held = held.subarray(4 + size);
    listener(call, body, channel);
  }
});
const opening = (then) => onCall((call, body, channel) => {
  if (call.method === 'open') reply(call.id, 'opened');
  else then(call, body, channel);
});
`;
