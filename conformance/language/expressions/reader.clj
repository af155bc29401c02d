42
+42
-42
0
-0
00
017
-017
0x1f
0XFF
-0x10
2r1010
8r17
16rFF
36rz
-2r11
2R11
1e3
1E-3
-1.5
+1.5
1.5e3
9223372036854775807
-9223372036854775808
nil
true
false
##Inf
##-Inf
##NaN
"a"
""
"a\tb"
"\u00e9"
"\uD83D\uDE00"
"\7"
"\77"
"\377"
"tab	inside"
\a
\newline
\space
\tab
\return
\backspace
\formfeed
\u0041
\o101
\o7
\o377
\é
\\
\"
\;
\,
\(
\1
\n
\u
\o
[\a\b]
[\a \space\newline]
(str \a\b)
:a
:a/b
:a.b/c
:1
:a1
:1a
:a'b
:a-b_c?!*+<>=&%$#
:a:b
[:a:b]
::a
[:+ :- :* :/ :. :a.]
:é
(quote a)
'a
'a.b/c
'+
'/
'a/b
'->x
'&
'%
'-a
'+a
'.a
'-.5
'.5
'a'
'a'b
'a#
'a#b
'*earmuffs*
'λ
'[a b]
'(a b)
'(1 2 . 3)
'()
()
[]
{}
#{}
''a
'''a
'@a
'#'a
'(quote a)
'(deref a)
'[@a #'b 'c]
'(f #_x y)
[1 #_2 3]
[1 #_#_2 3 4]
[1 #_[2 3] 4]
#_1 2
[#_ ; comment
[1, 2,, 3]
{:a 1, :b 2}
{,}
#:a{:b 1}
#:a{:b 1 :_/c 2 :d/e 3}
#:a{b 1 "c" 2}
'#:a{b 1 :c 2}
#::{:a 1}
#::{:a 1 :_/b 2}
#:a.b{:c {:d 1}}
#:a{}
^:a [1]
(meta ^:a [1])
(meta ^{:a 1} [1])
(meta ^:a ^:b [1])
(meta ^:a ^{:a 2} [1])
(meta ^{:a 1} ^:a [1])
(meta ^String [1])
(meta ^"s" [1])
(meta #^:a [1])
(meta '^:a x)
(meta ^{:a (+ 1 2)} [1])
(meta ^:a {})
(meta ^:a #{1})
(meta (with-meta [1] nil))
(:tag (meta ^String {}))
(meta ^{:a 1} {:k ^:inner [1]})
(map meta [^:a [1] ^:b {:c 1}])
(#(+ 1 %) 1)
(#(+ %1 %2) 1 2)
(#(apply + %&) 1 2)
(#(vector %2) 1 2)
(#() )
(#(identity %3) 1 2 3)
(#(list % %1 %2 %&) 1 2 3 4)
(#([%]) 1)
(#(do %) 1)
(#(hash-map :a %) 1)
#"a"
(str #"a\\b\"c\n")
(str #"\d+\.\s")
#inst "2020-01-01"
#inst "2020"
#inst "2020-05"
#inst "2020-01-02T03"
#inst "2020-01-02T03:04"
#inst "2020-01-02T03:04:05"
#inst "2020-01-02T03:04:05.1"
#inst "2020-01-02T03:04:05.123456789"
#inst "2020-01-02T03:04:05Z"
#inst "2020-01-02T03:04:05+05:30"
#inst "2020-01-02T03:04:05-08:00"
#inst "2020-02-29"
#inst "1900-01-01"
#inst "0001-01-01"
#inst "9999-12-31T23:59:59.999Z"
#inst "2021-02-29"
#inst "2020-13-01"
#inst "x"
#inst "2020-1-1"
#inst "2020-01-01T25:00"
#inst 5
#uuid "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
#uuid "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"
#uuid "x"
#uuid 5
08
0x
2r2
37r1
1a
1_000
1..2
1.5.2
1e
1e1.5
:
::
:a/
:/a
a:
'a/
'a:
'a::b
:a::b
(
)
[1 2
{:a}
{:a 1 :a 2}
{1 :a 1 :b}
{1 :a 1.0 :b}
#{1 1}
#{1 1.0}
#{[1] (1)}
{[1] 1 (1) 2}
'{[1] 1 (1) 2}
"abc
"\d"
"\x"
"\u12"
"\400"
\abc
\u12
\uD800
\o400
\o8
#<a>
#foo 1
#
^
^5 [1]
^:a 5
'
#_
[#_]
#(#(1))
(1 2]
[1 2)
;; two
#! shebang
,
#inst
\
@
(+ 1 2) ; trailing
1 2 3
(def a 1) (def b 2) (+ a b)
(do)
(comment a b)
(comment)
[(comment 1)]
"a;b"
[\; 1]
'(a;b
(read-string "#?(:clj 1)")
(read-string "1")
(read-string "a")
(read-string ":a")
(read-string "'a")
(read-string "(+ 1 2)")
(read-string "[1 2")
(read-string "")
(read-string "  ")
(read-string "nil")
(read-string "1 2")
(read-string "#inst \"2020\"")
(read-string "#{1 2}")
(read-string "{:a 1}")
(read-string "{:a}")
(read-string "\"a\"")
(read-string "\\a")
(read-string "@a")
(read-string "#'a")
(read-string "#\"a\"")
(read-string "^:a b")
(read-string ";c")
(read-string ";c\n1")
(read-string "#_1 2")
(read-string "1.5")
(read-string "0x10")
(read-string "##Inf")
(read-string ")")
(read-string "a/b")
(read-string "::a")
(read-string "#:a{:b 1}")
(read-string "true")
(read-string "-")
(read-string "-1")
(read-string "1a")
(read-string nil)
(read-string 5)
(read-string :a)
(read-string "\"\\n\"")
(read-string "(a . b)")
(read-string "#foo 1")
(read-string "{:a 1 :a 2}")
(read-string "#{1 1}")
(read-string "λ")
(read-string "(quote a)")
(read-string "()")
(read-string "#uuid \"00000000-0000-0000-0000-000000000001\"")
(read-string {:eof :end} "")
(read-string {:eof nil} "")
(read-string {:eof :end} "1")
(read-string {} "")
(read-string "[1 #_2 3]")
(read-string "\\newline")
(read-string "01")
(read-string "[a,b]")
(read-string {:eof :e} ";x")
(meta (read-string "^:a [1]"))
(class (first (read-string "(a 1)")))
(list? (read-string "(1)"))
(pr-str (read-string "(let [x 'y] @x)"))
(map read-string ["1" ":a" "\"s\""])
(= '(+ 1 2) (read-string "(+ 1 2)"))
(read-string ";foo\r3\n5")
(read-string "[1 ;a\r\n2 ; b\r 3]")
(read-string "#! x\r7\n8")
(read-string "[1 #_;c\r2 3]")
(read-string "[1 ;a\n\r2]")
(read-string "(1 ;)\r 2)")
(read-string "[1 ; \f \u0085 \u2028 5\n2]")
