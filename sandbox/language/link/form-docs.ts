/** What the introspection functions say of one name (functions.md §17). */
export interface Entry {
  readonly name: string;
  /** How it is called: the lists of its parameters or, for a form, whole calls; each one line of text. */
  readonly shapes: readonly string[];
  readonly doc: string | null;
}

/**
 * What `doc` says of special forms, macros and directives (language.md §9): lines of `SHAPE ; SHAPE | TEXT`, which
 * go on in indented ones; the first word is the name.
 */
const FORMS = `
def name value? ; def name docstring value | Defines a variable of the namespace; without a value it is declared.
defonce name value | Defines a variable unless it has a value already.
declare & names | Makes variables known before they are defined.
defn name docstring? attributes? [params*] body* ; defn name docstring? attributes? ([params*] body*)+
  | Defines a function.
defn- name docstring? attributes? [params*] body* | Defines a function that is private to its namespace.
defmulti name docstring? attributes? dispatch & options | Defines a multimethod; options are :default and :hierarchy.
defmethod multimethod dispatch-value name? [params*] body* | Adds a method for a dispatch value.
defprotocol name docstring? options* (method [this params*]+ docstring?)*
  | Defines a protocol: functions that do what the class of their first argument has for them.
defrecord Name [fields*] (Protocol (method [this params*] body*)*)*
  | Defines a class of records, which are maps with these fields, with the functions ->Name and map->Name; its
  methods see the fields as locals.
extend-type Type (Protocol (method [this params*] body*)*)* | Gives a class, or nil, the methods of protocols.
extend-protocol Protocol (Type (method [this params*] body*)*)* | Gives classes, and nil, the methods of a protocol.
reify (Protocol (method [this params*] body*)*)*
  | An object with methods of protocols, which see the locals around them.
binding [var value*] body*
  | The body with dynamic variables, (def ^:dynamic *name* value), that have other values as long as it runs.
set! var value | Gives a variable another value, up to the end of the binding around it.
fn name? [params*] body* ; fn name? ([params*] body*)+ | A function; :pre and :post in a first map are its conditions.
let [bindings*] body* | The body with locals, which may be patterns.
letfn [(name [params*] body*)*] body* | The body with local functions that may call each other.
loop [bindings*] body* | As let, and recur in tail position goes back to it with new values.
recur & values | Goes back to the loop or function around it.
if test then else? | One of two forms, by whether a test is true (neither nil nor false).
if-not test then else? | As if, with the test inverted.
if-let [pattern test] then else? | The first form with the test's value bound if that is true, else the second.
if-some [pattern test] then else? | As if-let, for a value that is not nil.
when test body* | The body if a test is true, else nil.
when-not test body* | The body if a test is not true, else nil.
when-let [pattern test] body* | The body with the test's value bound if that is true, else nil.
when-some [pattern test] body* | As when-let, for a value that is not nil.
when-first [pattern collection] body* | The body with the first element bound if there is one, else nil.
cond & clauses | The form after the first test that is true; :else comes last.
condp pred expression & clauses
  | The form after the first test for which (pred test expression) is true; test :>> f calls f with that value.
case expression & clauses
  | The form after the constant that is equal; a list of constants matches each of them, a last form is the default.
do body* | The value of the last form.
and & forms | The first value that is false or nil, else the last.
or & forms | The first value that is neither false nor nil, else the last.
-> x & steps | Puts a value into the first place of a step, its value into the next one, and so on.
->> x & steps | As ->, in the last place.
as-> x name & steps | Binds a name to a value, then to that of each step.
cond-> x & clauses | As ->, for those steps whose test is true.
cond->> x & clauses | As ->>, for those steps whose test is true.
some-> x & steps | As ->, up to the first nil.
some->> x & steps | As ->>, up to the first nil.
doto x & steps | Puts a value into the first place of each step; gives the value.
.. x & members | Java members one after the other.
. x member & arguments | A Java member of a value or class.
new Class & arguments | A value of a Java class.
for [bindings*] body | The seq of a body for all combinations; :let, :when and :while stand among the bindings.
doseq [bindings*] body* | Runs a body for all combinations, as for; nil.
dotimes [name n] body* | Runs a body with 0 to n-1; nil.
while test body* | Runs a body as long as a test is true; nil.
quote form | The form itself, as data.
var name | The variable of a name.
comment & forms | Nothing: the forms are read only.
lazy-seq body* | A seq whose body is run when it is needed.
lazy-cat & collections | The elements of collections that are computed when they are needed.
delay body* | A value that is computed once, when it is needed.
vswap! volatile f & arguments | Replaces the value of a volatile by what a function gives for it.
try body* (catch Class name body*)* (finally body*)? | The body; an exception of a class goes to its clause.
catch Class name body* | A clause of try.
finally body* | The clause of try that is always run.
throw exception | Raises an exception.
assert test message? | Raises an error unless a test is true.
with-out-str body* | The text that the body prints.
ns name docstring? (:require spec*)? | Names the namespace of what follows.
require & specs | Makes libraries known by an alias, as in (require '[clojure.string :as s]).
return value | Ends the evaluation with a value.
fail value | Ends the evaluation as failed, with a value.
program & forms | The source of forms, as a value.
doc name | Prints how something is called and what it does.
source name | Prints the form that defined something.
dir namespace? | The names of a namespace, or the namespaces.
apropos text | The names that have to do with a text or regex.
export-meta name | What is known of an export of a component.
components | The ids of the attached components.
component id | What is known of a component.
`;

/** What is said of a form by its name, null for any other name. */
export function formEntry(name: string): Entry | null {
  return formEntries().find((entry) => entry.name === name) ?? null;
}

export function formEntries(): readonly Entry[] {
  return FORMS.trim()
    .replaceAll('\n  ', ' ')
    .split('\n')
    .map((line) => {
      const bar = line.lastIndexOf(' | ');
      return {
        name: line.slice(0, line.indexOf(' ')),
        shapes: line
          .slice(0, bar)
          .split(' ; ')
          .map((shape) => `(${shape})`),
        doc: line.slice(bar + 3),
      };
    });
}
