import type { ListNode, Syntax } from '../../syntax.ts';
import { syntaxValue } from '../../reader/data.ts';
import { equalityKey } from '../../reader/equality-key.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { supportCall, type CaseClause, type Node } from '../ir.ts';
import { inner, type Context } from '../scope.ts';

/** `(case expr constant result … default?)`: constants are not evaluated; a list means several. */
export function caseForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, subject, ...parts] = node.items;
  if (subject === undefined) throw invalidArity(node, 'case', 'an expression and clauses', 0);
  const local = analyser.locals.hidden('subject');
  const seen = new Set<string>();
  const clauses: CaseClause[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const test = parts[index];
    const result = parts[index + 1];
    if (test === undefined || result === undefined) continue;
    const constants = (test.kind === 'list' ? test.items : [test]).map((item) => constantOf(analyser, item, seen));
    clauses.push({ constants, body: analyser.analyse(result, inner(context)) });
  }
  const fallback = parts.length % 2 === 1 ? parts.at(-1) : undefined;
  return {
    kind: 'case',
    local,
    subject: analyser.operand(subject, context),
    clauses,
    otherwise:
      fallback === undefined
        ? supportCall(node, 'noMatchingClause', [{ kind: 'local', local }])
        : analyser.analyse(fallback, inner(context)),
  };
}

function constantOf(analyser: Analyser, item: Syntax, seen: Set<string>): unknown {
  const key = equalityKey(item);
  if (key !== null && seen.has(key)) {
    throw invalidForm(
      item,
      `Duplicate case test constant: ${analyser.source.slice(item.start, item.end).slice(0, 128)}`,
    );
  }
  if (key !== null) seen.add(key);
  return syntaxValue(item, (found) => analyser.names.keywordNamespace(found), { metadata: false });
}
