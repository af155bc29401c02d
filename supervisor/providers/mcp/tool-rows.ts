import {
  EVERY_TOOL,
  kebabName,
  type DeclaredEffect,
  type ImportedTools,
  type RestOfTools,
  type ToolMapping,
  type ToolRow,
} from '../../../contract/tool-mapping.ts';
import type { ApprovalWord } from '../../../contract/approval.ts';
import type { ApprovalOf } from '../source/approval.ts';
import type { NormalisedSelection } from '../source/selection.ts';

/** A row of a loaded document, whatever source it is of. */
export interface DeclaredRow {
  readonly as?: string;
  readonly effect: DeclaredEffect;
  readonly description?: string;
  readonly approval?: ApprovalWord;
  readonly error_feedback: 'closed' | 'bounded';
  readonly model_visible: boolean;
  readonly inspection_capture: 'full' | 'digest_results';
  /** Of servers of tools alone. */
  readonly content?: 'described' | 'inline';
}

/** A row of a loaded document, whose name is known. */
export type NamedRow = DeclaredRow & { readonly upstream: string; readonly as: string };

/** The rows of single tools, and that of every other one; null without (world.md §2.3). */
export interface ToolRows {
  readonly rows: readonly NamedRow[];
  readonly every: DeclaredRow | null;
}

export function toolRows(tools: ReadonlyMap<string, DeclaredRow> | undefined): ToolRows {
  const rows = [...(tools ?? [])].flatMap(([upstream, row]): NamedRow[] => {
    // A document whose row gives no name is not loaded.
    const as = upstream === EVERY_TOOL ? null : (row.as ?? kebabName(upstream));
    return as === null ? [] : [{ ...row, upstream, as }];
  });
  return { rows, every: tools?.get(EVERY_TOOL) ?? null };
}

/** Which calls a person is asked about: the word of the row wins, then that of every tool, then the installation's. */
export function approvalOfRows({ rows, every }: ToolRows, own: ApprovalWord | undefined): ApprovalOf {
  const words = new Map(rows.map(({ as, approval }) => [as, approval]));
  return (name) => (words.has(name) ? words.get(name) : every?.approval) ?? own ?? 'never';
}

/** What an adapter maps for a selection. */
export function toolMapping(
  { rows, every }: ToolRows,
  selection: NormalisedSelection,
  imported: ImportedTools | null = null,
): ToolMapping {
  const [allowed, visible] = [namesOf(selection['allow']), namesOf(selection['model_visible'])];
  return {
    rows: rows.filter(({ as }) => allowed.includes(as)).map((row) => mappedRow(row, visible.includes(row.as))),
    rest: every === null ? null : restOf(every, { rows, allowed, visible, imported }),
  };
}

/** The row of one tool, as an adapter gets it. */
export function mappedRow(row: NamedRow, isModelVisible: boolean): ToolRow {
  return {
    upstream: row.upstream,
    as: row.as,
    effect: row.effect,
    description: row.description ?? null,
    errorFeedback: row.error_feedback,
    isModelVisible,
    inspectionCapture: row.inspection_capture,
    isInline: row.content === 'inline',
  };
}

/** Null where no tool without a row is allowed. */
function restOf(
  every: DeclaredRow,
  selected: {
    readonly rows: readonly NamedRow[];
    readonly allowed: readonly string[];
    readonly visible: readonly string[];
    readonly imported: ImportedTools | null;
  },
): RestOfTools | null {
  const own = new Set(selected.rows.map(({ as }) => as));
  const others = (names: readonly string[]): readonly string[] | null =>
    names.includes(EVERY_TOOL) ? null : names.filter((name) => !own.has(name));
  const allowed = others(selected.allowed);
  if (allowed?.length === 0) return null;
  return {
    effect: every.effect,
    errorFeedback: every.error_feedback,
    inspectionCapture: every.inspection_capture,
    isInline: every.content === 'inline',
    allowed,
    visible: others(selected.visible),
    rows: new Map(selected.rows.map(({ upstream, as }) => [upstream, as])),
    imported: selected.imported,
  };
}

function namesOf(list: NormalisedSelection[string] | undefined): readonly string[] {
  return typeof list === 'object' ? list : [];
}
