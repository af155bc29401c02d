/**
 * What random programs are made of: for each kind of value, templates whose `$kind` holes are filled with terms.
 * Well typed, so that an exception is seldom and worth a look. Integers stay small and nothing divides (A2, A3), no
 * seq goes into `str` (A4), no name is looked up (A1), no zero has a sign (the reference compares primitives another way).
 * A function has another hash in each process and goes into no `hash`.
 */
export const grammar = {
  int: [
    '0', '1', '2', '3', '-1', '7', '10', '-5', '(+ $int $int)', '(- $int $int)', '(max $int $int)', '(inc $int)', '(count $things)', '(count $ints)',
    '(reduce + $ints)', '(reduce - 10 $ints)', '(rem (hash (walk/postwalk (fn [@x] (if (fn? @x) nil @x)) $thing)) 10007)', '(if $bool $int $int)', '(let [@x $int ~x:int] (+ @x @x $int))', '(bit-and $int $int)',
    '(compare $int $int)', '(apply max 0 $ints)', '(transduce $xform + $ints)', '(mod $int 7)', '(quot $int 3)', '(rem $int -4)', '(count $text)',
    '(loop [@i 0 @a $int ~i:int ~a:int] (if (< @i 3) (recur (inc @i) (+ @a $int)) @a))', '(case $int 0 1 (1 2) 3 $int)', '(try $int (finally nil))', '(reduce-kv (fn [@a @k @v ~a:int ~k:thing ~v:thing] (inc $int)) ~~ $int $map)', '(reduce (fn [@a @x ~a:int ~x:int] $int) ~~ $int (take 4 $ints))', '($step $int)', '(-> $int (+ $int) ($step))', '(->> $int (- $int) ($step))', '(some-> $int (+ $int) (max $int))', '(cond-> $int $bool (+ $int) $bool inc)', '(cond->> $int $bool (- $int) $bool ($step))', '(deref (doto (volatile! $int) (vreset! $int) (vswap! + $int)))', '(letfn [(@f [@a @b ~f:self ~a:int ~b:int] (if (pos? @a) (@f (dec @a) $int) $int))] ~a ~b (@f 3 $int))',
  ],
  number: ['0.5', '1.5', '3.0', '1e7', '0.001', '$int', '(+ $number $number)', '(* $number $number)', '(- $number $number)', '(min $number $number)', '(double $int)'],
  bool: [
    'true', 'false', '(< $number $number)', '(= $thing $thing)', '(== $number $number)', '(every? $test $ints)', '(not $bool)', '(contains? $map $int)',
    '(empty? $things)', '(vector? $things)', '(list? $ints)', '(counted? $things)', '(seq? $ints)', '(identical? nil $thing)', '(set/subset? $set $set)', '(and $bool $bool)', '(or $bool $bool)', '($test $int)',
  ],
  text: [
    '""', '"a"', '"b a"', '"héllo"', '"A,b,,c"', '(str $text $int)', '(str $number)', '(pr-str $thing)', '(str/upper-case $text)', '(str/capitalize $text)',
    '(str/join "," (map pr-str $things))', '(str/trim $text)', '(str/replace $text "a" $text)', '(str/replace $text #"[a-c]" "<$0>")', '(str/reverse $text)', '(name $keyword)',
    '(format "%5d|%-4s|" $int $text)', '(format "%.2f" (double $number))', '(with-out-str (println $thing $text))', '(apply str $ints)',
    '(with-out-str (doseq [@x (take 3 $ints) ~x:int] (print $int)))', '(with-out-str (doseq [[@a @b] [[$int $thing]] ~a:int ~b:thing :let [@c $int ~c:int] :when $bool] (pr $thing)))',
    '(with-out-str (dotimes [@i 2 ~i:int] (pr $int)))',
  ],
  keyword: [':a', ':b', ':n/c', '(keyword $text)'],
  ints: [
    'nil', '[]', '[3 1 2]', '(range 5)', "'(4 4 1)", '#{1 2 3}', '(take 4 (iterate inc 1))', '(map $step $ints)', '(filter $test $ints)', '(remove $test $ints)',
    '(take $int $ints)', '(drop $int $ints)', '(take-last $int $ints)', '(drop-last $int $ints)', '(concat $ints $ints)', '(reverse $ints)', '(sort $ints)',
    '(sort > $ints)', '(sort-by $step $ints)', '(distinct $ints)', '(dedupe $ints)', '(reductions + $ints)', '(rest $ints)', '(next $ints)', '(vec $ints)',
    '(mapv $step $ints)', '(filterv $test $ints)', '(interleave $ints $ints)', '(map + $ints $ints)', '(cons $int $ints)', '(conj $ints $int)', '(into $ints $ints)',
    '(take-while $test $ints)', '(drop-while $test $ints)', '(mapcat range (take 3 $ints))', '(butlast $ints)', '(seq $ints)', '(set $ints)', '(nthnext $ints 1)',
    '(empty $ints)', '(for [@y $ints ~y:int :when ($test @y)] (+ @y $int))', '(for [@y (take 3 $ints) ~y:int @x (take 3 $ints) ~x:int :while $bool] $int)', '(map (fn [@x ~x:int] $int) ~~ $ints)', '(map (fn [@x [@y] ~x:int ~y:int] $int) ~~ $ints (map list $ints))', '(some->> $ints (map (fn [@x ~x:int] $int)) ~~ (filter $test))', '(reductions (fn [@a @x ~a:int ~x:int] $int) ~~ $int (take 4 $ints))', '(interpose $int $ints)', '(into [] $xform2 $ints)', '(sequence $xform2 $ints)', '(take-nth 2 $ints)',
    '(let [[@a & @r] (seq $ints)] @r)', '(vals $map2)', '(keep-indexed (fn [@i @v ~i:int ~v:int] (when ($test @v) $int)) ~~ $ints)', '(list* $int $ints)', '(disj (set $ints) $int)',
  ],
  things: [
    '[1 :a "x"]', '[nil true 2.5]', '"abc"', '{:a 1 :b 2}', '(partition 2 $ints)', '(partition-all 3 $ints)', '(partition-by $test $ints)', '(map vector $ints $things)',
    '(map-indexed vector $things)', '(frequencies $things)', '(group-by $test $ints)', '(split-at 2 $ints)', '(split-with $test $ints)', '(list $thing $thing)',
    '[$thing $thing]', '(flatten (list $things $ints))', '(interpose $thing $things)', '(seq $things)', '(into [] $xform $ints)', '(reverse $things)', '(keys $map)',
    '(vals $map)', '(seq $map)', '(str/split $text #"[, ]")', '(set $things)', '(re-seq #"\\w" $text)', '((juxt first last count) $ints)', '(distinct $things)',
    '(walk/postwalk identity (vec $things))', '(into () $things)', '(rest $things)', '(tree-seq sequential? seq (list $thing $ints))', '#{$thing}', '(sorted-set $int 99)',
    '(for [[@a @b] (frequencies $ints) ~a:int ~b:int] $thing)', '(for [@x (take 3 $ints) ~x:int [@a @b] [[$int $thing]] ~a:int ~b:thing :let [[@c] [$int] ~c:int]] $thing)', '(map-indexed (fn [@i @v ~i:int ~v:thing] $thing) ~~ $things)',
    '(mapv (fn [[@k @v] ~k:thing ~v:thing] $thing) ~~ $map)', '(map (fn [@g] (@g)) (for [@x (take 3 $ints) ~x:int] (fn [] $thing)))', '(let [@v (volatile! []) ~v:self] (dotimes [@i 2 ~i:int] (vswap! @v conj $thing)) ~i (deref @v))',
    '(map (fn [@g] (@g [$int])) (loop [@i 0 ~i:int @a [] ~a:self] (if (< @i 3) (recur (inc @i) (conj @a (fn [[@b] ~b:int] $thing))) @a)))',
  ],
  map: [
    'nil', '{}', '{:a 1}', '{:a 1 :b {:c 2}}', '(zipmap (range 10) (range 10))', '(assoc $map $thing $thing)', '(dissoc $map 1 3)', '(merge $map $map)', '(zipmap $ints $things)',
    '$map2', '(into {} $map)', '(hash-map $thing $thing)', '(sorted-map $int $thing)', '(set/map-invert (into {} $map))', '(update-vals $map vector)', '(select-keys $map [1 2])',
    '(persistent! (assoc! (transient (into {} $map2)) $thing $thing))', '(into {} (map (fn [[@k @v]] [@v @k])) $map2)', '(into {} (for [@x (take 3 $ints) ~x:int] [$int $thing]))', '(merge-with + {1 1} (zipmap $ints (range)))', '(array-map :z $thing :y $thing)',
  ],
  map2: ['(frequencies $ints)'],
  set: ['#{}', '#{1 2 3}', '#{:a :b}', '(set (range 20))', '(set $ints)', '(conj $set $thing)', '(set/union $set $set)', '(set/difference $set $set)', '(set/intersection $set $set)', '(disj $set 1)'],
  step: ['inc', 'dec', '-', '(partial + 2)', '(fn [@x ~x:int] $int)', '(fn [@x & [@y] ~x:int] $int)', '(fn [@x ~x:int] (- @x $int))', '#(if true % 0)', '#(mod % 3)', 'identity', '(comp $step $step)', '(constantly $int)'],
  test: ['even?', 'odd?', 'pos?', 'zero?', '#{1 2 3}', '#(< % 3)', '(fn [@x ~x:int] $bool)', '(complement $test)', '(every-pred $test $test)', '(some-fn $test $test)'],
  xform: ['$xform2', '(comp $xform2 $xform2)'],
  xform2: ['(map $step)', '(filter $test)', '(take 2)', '(drop 1)', '(dedupe)', '(distinct)', '(map-indexed +)', '(mapcat range)', '(take-while $test)', '(comp $xform2 $xform2)'],
  thing: ['nil', '1', '"s"', ':k', '\\c', "'q", '$int', '$number', '$text', '$keyword', '$things', '$map', '$set', '$ints', '$bool', '(vec $things)', '(first $things)', '(last $things)', '(get $map $int)', '(get $map 1 $thing)', '(nth (vec $ints) $int :none)'],
  program: [
    '$thing', '$thing',
    // Many names at once, so that whatever a form hides is most likely there to be missed.
    '(let [@a 11 @b 12 @c 13 @d 14 @e 15 @f 16 @g 17 @h 18 @i 19 ~a:int ~b:int ~c:int ~d:int ~e:int ~f:int ~g:int ~h:int ~i:int] $thing)',
    '(let [{:keys [@a @b @c @d @e @f @g @h]} {:@a 11 :@b "12" :@c 13 :@d :e :@e 15 :@f [16] :@g 17 :@h nil} ~a:int ~b:text ~c:int ~d:keyword ~e:int ~f:ints ~g:int ~h:thing] $thing)',
    '((fn [@a @b @c @d & [@e @f @g @h] ~a:int ~b:text ~c:int ~d:keyword ~e:int ~f:ints ~g:int ~h:thing] $thing) 11 "12" 13 :d 15 [16] 17 nil)',
    '(loop [@a 11 @b "12" @c 13 @d :d @e 15 @f [16] @g 17 @h nil ~a:int ~b:text ~c:int ~d:keyword ~e:int ~f:ints ~g:int ~h:thing] $thing)',
    '(def @a 11) (def @b "12") (def @c 13) (def @d :d) (def @e [15]) (def @f (fn [@x ~x:int] [@x @x])) ~x ~a:int ~b:text ~c:int ~d:keyword ~e:ints ~f:self $program',
    '(def @a $int) ~a:int $program', '(def @a $thing) ~a:thing $program', '(defn @f [@x ~f:self ~x:int] $int) ~x ~f:step $program', '(def @f (fn [@x ~x:int] $int)) ~x ~f:step $program',
    '(defn @f [[@a @b] @c ~f:self ~a:int ~b:thing ~c:int] $thing) ~a ~b ~c (def @d (@f [$int $thing] $int)) ~d:thing $program', '(defn @f ([@a ~f:self ~a:int] (@f @a [$int])) ~a ([@a [@b] ~a:int ~b:int] $int)) ~a ~b ~f:step $program',
    '(defmulti @m (fn [@x [@y] ~m:self ~x:int ~y:int] (odd? $int))) ~x ~y (defmethod @m true [@x [@y] ~x:int ~y:int] $int) ~x ~y (defmethod @m :default [@y [@x] ~x:int ~y:int] $int) ~x ~y (def @a (@m $int [$int])) ~a:int $program',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Kind = keyof typeof grammar;

/** What else a value of a kind may stand for. */
const STANDS_FOR: Partial<Readonly<Record<Kind, readonly Kind[]>>> = {
  int: ['number', 'thing'], number: ['thing'], bool: ['thing'], text: ['thing', 'things'], keyword: ['thing'], ints: ['thing', 'things'], things: ['thing'], map: ['thing', 'things'], map2: ['map', 'thing', 'things'], set: ['thing', 'things'],
};

export function standsFor(kind: Kind, wanted: Kind): boolean {
  return kind === wanted || STANDS_FOR[kind]?.includes(wanted) === true;
}

export function isKind(name: string): name is Kind {
  return Object.hasOwn(grammar, name);
}
