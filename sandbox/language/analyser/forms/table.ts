import type { ListNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity } from '../faults.ts';
import type { Node } from '../ir.ts';
import { dotForm, newForm } from '../java.ts';
import type { Context } from '../scope.ts';
import { letForm, letfnForm, loopForm, recurForm, whileForm } from './bindings.ts';
import { caseForm } from './case.ts';
import {
  bindingConditional,
  commentForm,
  condForm,
  condpForm,
  doForm,
  ifForm,
  ifNotForm,
  logicForm,
  misplaced,
  whenFirstForm,
  whenForm,
} from './control.ts';
import { declareForm, defForm, defnForm, defonceForm, varForm } from './definitions.ts';
import { assertForm, throwForm, tryForm } from './exceptions.ts';
import { bindingForm, setForm } from './dynamic.ts';
import { functionForm } from './function.ts';
import { defmethodForm, defmultiForm } from './multimethods.ts';
import { importForm, programNamespace, requireForm } from './namespaces.ts';
import { defprotocolForm, extendProtocolForm, extendTypeForm } from './protocols.ts';
import { defrecordForm, reifyForm } from './records.ts';
import { aproposForm, componentsForm, introspectionForm, programForm } from './own.ts';
import { doseqForm, dotimesForm, forForm, lazyCatForm, thunkForm } from './sequences.ts';
import { asThreadForm, condThreadForm, dotDotForm, dotoForm, someThreadForm, threadForm } from './threading.ts';
import { vswapForm } from './state.ts';

export type FormHandler = (analyser: Analyser, node: ListNode, context: Context) => Node;

function quoteForm(analyser: Analyser, node: ListNode): Node {
  const [, datum] = node.items;
  if (datum === undefined || node.items.length !== 2)
    throw invalidArity(node, 'quote', '1 part', node.items.length - 1);
  return analyser.quoted(datum);
}

/** Forms that no local and no definition shadows in call position (language.md §8). */
export const NEVER_SHADOWED: ReadonlyMap<string, FormHandler> = new Map<string, FormHandler>([
  ['def', defForm],
  ['if', ifForm],
  ['do', doForm],
  ['quote', quoteForm],
  ['var', varForm],
  ['recur', recurForm],
  ['try', tryForm],
  ['throw', throwForm],
  ['new', newForm],
  ['.', dotForm],
]);

/** Macros and other forms, by name (language.md §9). */
export const MACROS: ReadonlyMap<string, FormHandler> = new Map<string, FormHandler>([
  ...NEVER_SHADOWED,
  ['catch', misplaced('catch')],
  ['finally', misplaced('finally')],
  ['defn', defnForm(false)],
  ['defn-', defnForm(true)],
  ['defonce', defonceForm],
  ['declare', declareForm],
  ['defmulti', defmultiForm],
  ['defmethod', defmethodForm],
  ['defprotocol', (analyser, node, context) => defprotocolForm(analyser, node, context)],
  ['defrecord', (analyser, node, context) => defrecordForm(analyser, node, context)],
  ['extend-type', (analyser, node, context) => extendTypeForm(analyser, node, context)],
  ['extend-protocol', (analyser, node, context) => extendProtocolForm(analyser, node, context)],
  ['reify', (analyser, node, context) => reifyForm(analyser, node, context)],
  ['binding', (analyser, node, context) => bindingForm(analyser, node, context)],
  ['set!', (analyser, node, context) => setForm(analyser, node, context)],
  ['fn', functionForm],
  ['let', letForm],
  ['letfn', letfnForm],
  ['loop', loopForm],
  ['if-not', ifNotForm],
  ['if-let', bindingConditional({ name: 'if-let', some: false, hasElse: true })],
  ['if-some', bindingConditional({ name: 'if-some', some: true, hasElse: true })],
  ['when', whenForm(false)],
  ['when-not', whenForm(true)],
  ['when-let', bindingConditional({ name: 'when-let', some: false, hasElse: false })],
  ['when-some', bindingConditional({ name: 'when-some', some: true, hasElse: false })],
  ['when-first', whenFirstForm],
  ['cond', condForm],
  ['condp', condpForm],
  ['case', caseForm],
  ['and', logicForm('and')],
  ['or', logicForm('or')],
  ['comment', commentForm],
  ['->', threadForm('->', 'first')],
  ['->>', threadForm('->>', 'last')],
  ['as->', asThreadForm],
  ['cond->', condThreadForm('cond->', 'first')],
  ['cond->>', condThreadForm('cond->>', 'last')],
  ['some->', someThreadForm('some->', 'first')],
  ['some->>', someThreadForm('some->>', 'last')],
  ['doto', dotoForm],
  ['..', dotDotForm],
  ['for', forForm],
  ['doseq', doseqForm],
  ['dotimes', dotimesForm],
  ['while', whileForm],
  ['lazy-seq', thunkForm('lazySeq')],
  ['lazy-cat', lazyCatForm],
  ['delay', thunkForm('delay')],
  ['with-out-str', thunkForm('withOutString')],
  ['vswap!', vswapForm],
  ['assert', assertForm],
  ['ns', programNamespace],
  ['require', requireForm],
  ['import', importForm],
  ['program', programForm],
  ['doc', introspectionForm('doc', false)],
  ['source', introspectionForm('source', false)],
  ['dir', introspectionForm('dir', true)],
  ['export-meta', introspectionForm('export-meta', false)],
  ['component', introspectionForm('component', false)],
  ['components', componentsForm],
  ['apropos', aproposForm],
]);
