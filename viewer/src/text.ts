import type { Cost, Spend } from './data.ts';

/**
 * Characters that change how their neighbours look, or look like nothing: controls but tab and line end, bidirectional
 * marks, zero width.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A text that a run could influence, with every character to be seen. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (unit) => `⟨U+${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** A value as text: strings as they are, everything else as JSON. */
export function shown(value: unknown): string {
  if (value === undefined) return '';
  return visible(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : NUMBER.format(value);
}

export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 1000) return `${NUMBER.format(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const DAY = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

export function moment(timestamp: string | null): string {
  return timestamp === null ? '–' : DAY.format(new Date(timestamp));
}

function money({ microunits }: Cost): string {
  return `$${(microunits / 1e6).toFixed(microunits < 10_000 ? 6 : 4)}`;
}

/** What models cost: a price that is unknown is never a zero. */
export function cost(spend: Spend | null | undefined): string {
  if (spend === null || spend === undefined) return '–';
  if (spend.total_cost !== undefined) return money(spend.total_cost);
  return spend.state === 'empty' ? 'none' : spend.state;
}

/** Of one call. */
export function price(of: Cost | undefined): string {
  return of === undefined ? 'unpriced' : money(of);
}
