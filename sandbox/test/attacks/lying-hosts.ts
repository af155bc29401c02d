/**
 * A host that is honest up to one message, which it changes, by a seed, before it goes on as before: its script, which
 * takes the place of the host's own and loads that under another name. What is changed stands in `lie.json` beside it.
 */
export const LYING_HOST = String.raw`
const { Socket } = require('node:net');
const { readFileSync } = require('node:fs');
const lie = JSON.parse(readFileSync(__dirname + '/lie.json', 'utf8'));
let state = lie.seed * 2654435761 + 1;
const random = (below) => { state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
  return (state ^ (state >>> 13)) % below; };
const oneOf = (list) => list[random(list.length)];

const ODD = [null, true, 0, -1, 1.5, 1e308, '', 'x', '\ud800', '__proto__', '\u0000', 'x'.repeat(70000), [], {},
  [null], [[]], { toString: 1 }, { then: 1 }, '{"a":1}', '[', '"', 'null', '1e999', '['.repeat(100000),
  { text: '', value_truncated: false, prints_truncated: false, caps_hit: [], sampled_keys: [] },
  { definitions: '', history: [], defined_count: 0, history_count: 0, memory_bytes: 0, history_bytes: 0,
    is_unchanged: true },
  { reason: '', message: '', span: null, details: {}, exception_class: null, public_error: null },
  { start_byte: 9e15, end_byte: 0 }];
const MEMBERS = ['observation', 'continuation', 'commit_refusal', 'is_last_reply', 'code', 'prelude_calls', 'value',
  'projection_fault', 'prints', 'fault', 'status', 'outcome', 'details', 'report', '__proto__', 'constructor'];
const WORDS = ['timeout', 'memory', 'memory-fatal', 'stuck', 'disposed', 'broken', 'no-image', 'opened', '', 'r', 'l',
  'lr', 'rnull', 'r{}', 'r[]', 'r{"status":"loaded"}', 'l' + 'r{"status":"loaded"}',
    'r{"status":"internal_fault","message":"x"}', 'r' + '{"a":'.repeat(10000)];

/** Every place of a value, as the object that holds it and the name there. */
const places = (value, found = []) => {
  if (typeof value !== 'object' || value === null) return found;
  for (const name of Object.keys(value)) { found.push([value, name]); places(value[name], found); }
  return found;
};
const liedJson = (text) => {
  const value = JSON.parse(text);
  for (let count = 1 + random(2); count > 0; count -= 1) {
    const found = places(value);
    const [holder, name] = found.length > 0 ? oneOf(found) : [value, 'x'];
    switch (random(4)) {
      case 0: delete holder[name]; break;
      case 1: Object.defineProperty(holder, oneOf(MEMBERS),
        { value: oneOf(ODD), enumerable: true, configurable: true, writable: true }); break;
      case 2: { const other = oneOf(found.length > 0 ? found : [[{ x: 1 }, 'x']]);
        holder[name] = JSON.parse(JSON.stringify(other[0][other[1]] ?? null)); break; }
      default: holder[name] = oneOf(ODD);
    }
  }
  return JSON.stringify(value);
};
const frame = (channel, header, body) => {
  const h = Buffer.from(header), b = Buffer.from(body), all = Buffer.alloc(7);
  all.writeUInt32BE(3 + h.length + b.length, 0); all.writeUInt8(channel, 4); all.writeUInt16BE(h.length, 5);
  return Buffer.concat([all, h, b]);
};
const lied = (bytes) => {
  const headerEnd = 7 + bytes.readUInt16BE(5), channel = bytes[4];
  const header = String(bytes.subarray(7, headerEnd)), body = String(bytes.subarray(headerEnd));
  const start = body.search(/[{[]/);
  if (start >= 0 && start < 3 && random(4) > 0) {
    try { return frame(channel, header, body.slice(0, start) + liedJson(body.slice(start))); } catch { return bytes; }
  }
  switch (random(9)) {
    case 0: return Buffer.concat([bytes, bytes]);
    case 1: return frame(1 - channel, header, body);
    case 2: return frame(2 + random(254), header, body);
    case 3: return frame(channel,
      oneOf(['', '0', '1', '2', '99', '-1', '01', '1 ', ' 1', '1 #parallel', '1 tool', '1 8/3',
        '1 9007199254740992/3', '1 -1/0', '1 kernel-eval', '__proto__', '\ud800', 'x'.repeat(1024), header + ' ']),
          body);
    case 4: return frame(channel, header, body.slice(0, random(body.length + 1)));
    case 5: return bytes.subarray(0, random(bytes.length));
    case 6: return Buffer.concat([frame(1,
      oneOf(['1', '2', '3']) + ' ' + oneOf(['#parallel', 'kernel-eval', 'workflow-annotate', 'runtime-usage',
        'nothing', '', '\ud800'.repeat(40)]),
          oneOf(['', '{}', 'null', '[]', '{"shared":"","calls":["",""]}', '{"shared":1}', '{"__proto__":1}',
            '['.repeat(100000), 'x'.repeat(4000001), '\ud800'])), bytes]);
    case 7: return Buffer.concat([Buffer.alloc(1 + random(5000), random(256)), bytes]);
    default: return frame(channel, header, oneOf(WORDS));
  }
};
let sent = 0;
const write = Socket.prototype.write;
Socket.prototype.write = function (bytes, ...rest) {
  sent += 1;
  return write.call(this, sent === lie.message && Buffer.isBuffer(bytes) ? lied(bytes) : bytes, ...rest);
};
require('./real-host.cjs');
`;
