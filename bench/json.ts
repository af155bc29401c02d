/**
 * The strict parser against the engine's own, which finds no duplicate keys, keeps no positions and no number class.
 */
import { documentLimits, parseJson } from '../contract/json/parse.ts';
import { type Figure, median } from './figure.ts';

const rounds = 25;
const targetBytes = 1_000_000;

function records(): string {
  const items: object[] = [];
  for (let size = 2, index = 0; size < targetBytes - 200; index += 1) {
    const item = {
      id: `order-${index}`,
      paid: index % 3 === 0,
      total: index * 1.25,
      lines: [index, index + 1],
      note: 'left at the door',
    };
    items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return JSON.stringify({ items });
}

function timed(work: () => void): number {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    work();
    samples.push(performance.now() - started);
  }
  return median(samples.slice(rounds / 3));
}

export async function jsonFigures(): Promise<Figure[]> {
  const text = records();
  const bytes = new TextEncoder().encode(text);
  const engine = timed(() => {
    JSON.parse(new TextDecoder().decode(bytes));
  });
  const strict = timed(() => {
    if (!parseJson(bytes, { ...documentLimits(2_000_000), nodes: 1_000_000 }).ok)
      throw new Error('the document was refused');
  });
  return [
    {
      name: `strict parse of ${(bytes.length / 1e6).toFixed(1)} MB of records / JSON.parse`,
      value: strict / engine,
      unit: 'x',
      bound: { kind: 'most', value: 6 },
      detail: `${strict.toFixed(1)} ms against ${engine.toFixed(1)} ms`,
    },
  ];
}
