/** A program that makes one kind of thing without end, and keeps what it makes. */
export interface Producer {
  readonly kind: string;
  /** Forms that stand before it; none for most. */
  readonly forms?: string;
  readonly source: string;
  /** In its stead in a parallel branch, which may change nothing from outside. */
  readonly inBranch?: string;
}

export const producers: readonly Producer[] = [
  { kind: 'keywords', source: '(loop [i 0] (keyword (str "kw" i)) (recur (inc i)))' },
  { kind: 'symbols', source: '(loop [i 0 all []] (recur (inc i) (conj all (symbol (str "s" i)))))' },
  { kind: 'strings', source: '(frequencies (map (fn [i] (str "text " i)) (range)))' },
  { kind: 'numbers', source: '(frequencies (range))' },
  { kind: 'vars', forms: '(def v [])', source: "(loop [all []] (recur (conj all [#'v (hash #'v) (fn [] all)])))" },
  {
    kind: 'multimethods',
    forms: '(defmulti m identity)',
    source: '(loop [i 0] (defmethod m i [_] i) (recur (inc i)))',
    inBranch: '(loop [h (make-hierarchy) i 0] (recur (derive h (keyword "a" (str "k" i)) :a/root) (inc i)))',
  },
  { kind: 'atoms', source: '(loop [all []] (let [made (atom 1)] (hash made) (recur (conj all made))))' },
  { kind: 'metadata', source: '(loop [i 0 all []] (recur (inc i) (conj all (with-meta [i] {:i i}))))' },
  { kind: 'regexes', source: '(loop [i 0 all []] (recur (inc i) (conj all (re-pattern (str "a" i "(b|c)+")))))' },
  { kind: 'namespaces', source: '(loop [i 0] (keyword (str "n" i) "x") (recur (inc i)))' },
];
