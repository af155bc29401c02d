import { formsOf, isBranch, isForm, type Branch, type Prefixed, type TextNode } from '../text-tree.ts';
import { NOTHING_AROUND, ruleOf, type Around } from './indentation.ts';

/** What is between a node and the one before it. */
interface Gap {
  readonly lines: number;
  readonly hasComma: boolean;
  /** How many units, where all are on one line. */
  readonly blanks: number;
}

/** What is known of a branch while its parts are written. */
interface Written {
  /** Columns of the paren or bracket, and of what follows it. */
  readonly opener: number;
  readonly inside: number;
  /** Where the first argument of a call is, if it is on the line of the head; else null. */
  argument: number | null;
}

/** Writes the nodes of a text that reads without a fault. Lines end as all of the text do, else with LF. */
export class Layout {
  readonly #source: string;
  readonly #nodes: readonly TextNode[];
  readonly #lineEnd: string;
  readonly #parts: string[] = [];
  #column = 0;

  constructor(source: string, nodes: readonly TextNode[]) {
    this.#source = source;
    this.#nodes = nodes;
    this.#lineEnd = source.includes('\n') && !/(?<!\r)\n/.test(source) ? '\r\n' : '\n';
  }

  text(): string {
    this.#nodes.forEach((node, index) => {
      const before = this.#nodes[index - 1];
      if (before !== undefined) {
        const gap = this.#gap(before.end, node.start);
        if (gap.lines > 0 || before.kind === 'comment') this.#break(gap.lines, 0);
        else this.#blank(node, gap);
      }
      this.#node(node, NOTHING_AROUND, false);
    });
    if (this.#nodes.length > 0) this.#put(this.#lineEnd);
    return this.#parts.join('');
  }

  #gap(from: number, to: number): Gap {
    const between = this.#source.slice(from, to);
    const lines = between.match(/\r\n|\n|\r/g)?.length ?? 0;
    return { lines, hasComma: between.includes(','), blanks: between.length };
  }

  /** Writes text, and keeps count of the column in code points. */
  #put(text: string): void {
    this.#parts.push(text);
    const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    const written = Array.from(text.slice(line + 1)).length;
    this.#column = line < 0 ? this.#column + written : written;
  }

  /** Goes to a new line, with at most one empty line before it. */
  #break(lines: number, column: number): void {
    this.#put(this.#lineEnd.repeat(lines > 1 ? 2 : 1));
    this.#put(' '.repeat(column));
  }

  /** Parts two nodes of one line. Where a comment is at its end, and where a column of values is, its author says. */
  #blank(node: TextNode, gap: Gap, isInColumn = false): void {
    if (node.kind === 'comment' || (isInColumn && !gap.hasComma)) this.#put(' '.repeat(Math.max(1, gap.blanks)));
    else this.#put(gap.hasComma ? ', ' : ' ');
  }

  #node(node: TextNode, around: Around, isData: boolean): void {
    if (isBranch(node)) this.#branch(node, around, isData);
    else if (node.kind === 'prefixed') this.#prefixed(node, around, isData);
    else this.#put(this.#source.slice(node.start, node.end));
  }

  #prefixed(node: Prefixed, around: Around, isData: boolean): void {
    const column = this.#column;
    this.#put(node.prefix);
    const isTag = /^#\p{L}/u.test(node.prefix);
    const within = this.#column;
    let before: TextNode | null = null;
    for (const child of node.children) {
      const gap = this.#gap(before?.end ?? node.start + node.prefix.length, child.start);
      if (before?.kind === 'comment') this.#break(gap.lines, column);
      else if (before !== null && gap.lines > 0) this.#break(1, column);
      else if (before !== null || isTag) this.#blank(child, { ...gap, hasComma: false });
      else if (child.kind === 'comment') this.#blank(child, { ...gap, blanks: 1 });
      this.#node(child, before === null ? NOTHING_AROUND : around, isData || node.prefix === "'");
      before = child;
    }
    if (node.children.length === 0) this.#column = within;
  }

  #branch(node: Branch, around: Around, isData: boolean): void {
    const opener = this.#source.slice(node.start, node.inside);
    const column = this.#column;
    this.#put(opener);
    const state: Written = { opener: column + opener.length - 1, inside: this.#column, argument: null };
    const isCall = (node.kind === 'list' && !isData) || node.kind === 'short-function';
    const indent = isCall ? this.#callIndent(node, around, state) : (): number => state.inside;
    const breaksPairs = node.kind === 'map' && this.#spreads(node);
    const inner = this.#aroundChildren(node, around, isCall);
    const isOnLines = /[\n\r]/.test(this.#source.slice(node.start, node.end));
    let forms = 0;
    let beganLine = isOnLines && (node.kind === 'vector' || node.kind === 'map');
    node.children.forEach((child, index) => {
      const before = node.children[index - 1];
      const beginsPair = breaksPairs && isForm(child) && forms > 0 && forms % 2 === 0;
      if (before !== undefined) {
        const gap = this.#gap(before.end, child.start);
        const beginsLine = gap.lines > 0 || before.kind === 'comment' || beginsPair;
        if (beginsLine) this.#break(gap.lines, indent(forms));
        else this.#blank(child, gap, beganLine);
        beganLine = beginsLine;
        if (isForm(child) && forms === 1 && gap.lines === 0 && before.kind !== 'comment') state.argument = this.#column;
      }
      this.#node(child, inner(forms), isData);
      if (isForm(child)) forms += 1;
    });
    if (node.children.at(-1)?.kind === 'comment') this.#break(1, indent(forms));
    this.#put(this.#source.slice(node.end - 1, node.end));
  }

  /** The column of the part with an index, the head being 0, where it begins a line. */
  #callIndent(node: Branch, around: Around, state: Written): (index: number) => number {
    const rule = ruleOf(this.#headOf(node), around);
    const bodyColumn = state.opener + 2;
    const aligned = (): number => state.argument ?? state.inside;
    if (rule === null) return aligned;
    if (rule.kind === 'body') return () => bodyColumn;
    const isBroken = this.#beginsLine(node, rule.before + 1);
    return (index) => (index > rule.before && isBroken ? bodyColumn : aligned());
  }

  /** What a child is in: forms whose lists are methods, and the functions of a `letfn`. */
  #aroundChildren(node: Branch, around: Around, isCall: boolean): (index: number) => Around {
    if (node.kind === 'vector' && around.rule !== null && around.isLocalFunction)
      return () => ({ rule: null, isLocalFunction: true });
    const head = isCall ? this.#headOf(node) : null;
    const rule = head === null ? null : ruleOf(head, NOTHING_AROUND);
    if (rule === null) return () => NOTHING_AROUND;
    if (head === 'letfn') return (index) => (index === 1 ? { rule, isLocalFunction: true } : NOTHING_AROUND);
    return rule.hasMethods ? () => ({ rule, isLocalFunction: false }) : () => NOTHING_AROUND;
  }

  #headOf(node: Branch): string | null {
    const head = formsOf(node.children)[0];
    return head?.kind === 'symbol' ? this.#source.slice(head.start, head.end) : null;
  }

  /** Whether the form with this index, or what would be it, is the first of a line. */
  #beginsLine(node: Branch, index: number): boolean {
    let forms = 0;
    for (const [at, child] of node.children.entries()) {
      if (!isForm(child)) continue;
      if (forms === index) {
        const before = node.children[at - 1];
        return before !== undefined && (before.kind === 'comment' || this.#gap(before.end, child.start).lines > 0);
      }
      forms += 1;
    }
    return true;
  }

  /** Whether the pairs of a map are on several lines. */
  #spreads({ children }: Branch): boolean {
    let forms = 0;
    return children.some((child, index) => {
      const before = children[index - 1];
      const isPairStart = forms % 2 === 0;
      if (isForm(child)) forms += 1;
      if (before === undefined || !isPairStart) return false;
      return before.kind === 'comment' || this.#gap(before.end, child.start).lines > 0;
    });
  }
}
