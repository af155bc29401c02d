import {
  USAGE_BOUNDS,
  type AliasUsage,
  type Cost,
  type ModelDetail,
  type ModelUsage,
  type Spend,
  type TokenUsage,
} from '../../contract/envelope/usage.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';

/** One call of a model, paired from its start and its stop (runtime.md §11). */
export interface ModelCall {
  readonly alias: string;
  readonly installationRevision: string;
  /** The public name of the model; null where the snapshot of the installation attests none. */
  readonly resolvedModel: string | null;
}

export type ModelCallEnd =
  | {
      readonly status: 'ok';
      readonly usage: TokenUsage | null;
      /** Whether an attempt before the one that was answered may have used something too. */
      readonly isPartial?: boolean;
    }
  | { readonly status: 'error'; readonly usage: TokenUsage | null; readonly dispatched: boolean };

/**
 * Folds model calls into usage rows and spend. A call that was started and never stopped stays one of missing usage.
 */
export interface ModelUsageFold {
  /** The returned function ends the call; it counts once. */
  start(call: ModelCall): (end: ModelCallEnd) => void;
  spend(): Spend;
  detail(): ModelDetail;
}

interface Row {
  calls: number;
  successful: number;
  usageCalls: number;
  /** Calls that are not known to have stopped, or stopped without a usage they could have had. */
  missing: number;
  priced: number;
  /** Reports without the count of input or of output tokens. */
  partial: number;
  overflow: boolean;
  readonly sums: Map<TokenMember, number>;
  cost: number;
}

const TOKEN_MEMBERS = ['cache_creation', 'cache_read', 'input', 'output'] as const;
type TokenMember = (typeof TOKEN_MEMBERS)[number];

export function modelUsageFold(): ModelUsageFold {
  const byAlias = new Map<string, { readonly call: ModelCall; readonly row: Row }>();
  const byModel = new Map<string, Row>();
  let unattributed = 0;

  return {
    start: (call) => {
      const key = JSON.stringify([call.alias, call.installationRevision]);
      const entry = byAlias.get(key) ?? { call, row: newRow() };
      byAlias.set(key, entry);
      const rows = [entry.row];
      if (call.resolvedModel === null) {
        unattributed += 1;
      } else {
        const row = byModel.get(call.resolvedModel) ?? newRow();
        byModel.set(call.resolvedModel, row);
        rows.push(row);
      }
      for (const row of rows) begin(row);
      let isOpen = true;
      return (end) => {
        if (!isOpen) return;
        isOpen = false;
        for (const row of rows) stop(row, end);
      };
    },
    spend: () => spendOf([...byAlias.values()].map(({ row }) => row)),
    detail: () => {
      const rows = Math.max(byAlias.size, byModel.size);
      return rows > USAGE_BOUNDS.rows
        ? UNAVAILABLE
        : {
            llm_usage_state: 'available',
            llm_usage: [...byAlias.values()].map(({ call, row }) => aliasUsage(call, row)).toSorted(byAliasAndRevision),
            llm_usage_by_model: [...byModel]
              .map(([model, row]) => modelUsage(model, row))
              .toSorted((left, right) => compareUtf8(left.resolved_model, right.resolved_model)),
            unattributed_model_calls: unattributed,
          };
    },
  };
}

/** More rows than the record holds, or events lost that would prove them. */
const UNAVAILABLE: ModelDetail = {
  llm_usage_state: 'unavailable',
  llm_usage: null,
  llm_usage_by_model: null,
  unattributed_model_calls: null,
};

function newRow(): Row {
  return {
    calls: 0,
    successful: 0,
    usageCalls: 0,
    missing: 0,
    priced: 0,
    partial: 0,
    overflow: false,
    sums: new Map(),
    cost: 0,
  };
}

function begin(row: Row): void {
  row.calls += 1;
  row.missing += 1;
}

function stop(row: Row, end: ModelCallEnd): void {
  if (end.status === 'ok') row.successful += 1;
  if (end.status === 'ok' && end.isPartial === true) row.partial += 1;
  if (end.usage !== null) {
    row.missing -= 1;
    add(row, end.usage);
  } else if (end.status === 'error' && !end.dispatched) {
    row.missing -= 1;
  }
}

function add(row: Row, usage: TokenUsage): void {
  row.usageCalls += 1;
  if (usage.input === undefined || usage.output === undefined) row.partial += 1;
  for (const member of TOKEN_MEMBERS) {
    const value = usage[member];
    if (value !== undefined) row.sums.set(member, sum(row, row.sums.get(member) ?? 0, value));
  }
  if (usage.total_cost === undefined) return;
  row.priced += 1;
  row.cost = sum(row, row.cost, usage.total_cost.microunits);
}

/** Sums stop at the largest number that the record holds, and say so. */
function sum(row: Row, total: number, value: number): number {
  if (total <= USAGE_BOUNDS.integer - value) return total + value;
  row.overflow = true;
  return USAGE_BOUNDS.integer;
}

function countsOf(row: Row) {
  return {
    calls: row.calls,
    missing_usage_calls: row.missing,
    successful_calls: row.successful,
    usage_calls: row.usageCalls,
    usage_overflow: row.overflow,
    usage: usageOf(row),
  };
}

/** A cost only if every call that could carry usage was priced. */
function usageOf(row: Row): TokenUsage {
  const isPriced = row.usageCalls > 0 && row.priced === row.usageCalls && row.missing === 0;
  return { ...Object.fromEntries(row.sums), ...(isPriced ? { total_cost: usd(row.cost) } : {}) };
}

function usd(microunits: number): Cost {
  return { currency: 'USD', microunits };
}

function aliasUsage(call: ModelCall, row: Row): AliasUsage {
  return { alias: call.alias, installation_revision: call.installationRevision, ...countsOf(row) };
}

function modelUsage(resolved: string, row: Row): ModelUsage {
  return { resolved_model: resolved, ...countsOf(row) };
}

function byAliasAndRevision(left: AliasUsage, right: AliasUsage): number {
  return compareUtf8(left.alias, right.alias) || compareUtf8(left.installation_revision, right.installation_revision);
}

/** The first state that matches (runtime.md §11, llm_spend). */
function spendOf(rows: readonly Row[]): Spend {
  const total = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const input = total((row) => row.sums.get('input') ?? 0);
  const output = total((row) => row.sums.get('output') ?? 0);
  const cost = total((row) => row.cost);
  if (rows.some(({ overflow }) => overflow) || Math.max(input, output, cost) > USAGE_BOUNDS.integer)
    return { state: 'overflow' };
  if (rows.some(lacksUsage)) return { state: 'incomplete' };
  if (total(({ usageCalls }) => usageCalls) === 0) return { state: 'empty' };
  if (rows.some((row) => row.priced < row.usageCalls)) return { state: 'unpriced', input, output };
  return { state: 'available', input, output, total_cost: usd(cost) };
}

/** A call whose use is not known, or whose report leaves out its tokens. */
function lacksUsage(row: Row): boolean {
  return row.missing > 0 || row.partial > 0;
}
