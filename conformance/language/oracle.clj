;; Evaluates programs on real Clojure and prints what they gave, one JSON object a line.
;; Standard input: JSON lines {"source": "..."}; each program runs in a namespace of its own, called user.
(ns oracle
  (:require [clojure.string :as str] [clojure.pprint])
  (:import [java.io BufferedReader PushbackReader StringReader StringWriter]
           [java.util.concurrent Callable ExecutorService Executors TimeUnit TimeoutException]))

(def time-limit-ms 5000)

(defn json-string [^String text]
  (let [out (StringBuilder. "\"")]
    (doseq [c text]
      (case c
        \" (.append out "\\\"")
        \\ (.append out "\\\\")
        \newline (.append out "\\n")
        \return (.append out "\\r")
        \tab (.append out "\\t")
        (if (or (< (int c) 32) (> (int c) 126))
          (.append out (format "\\u%04x" (int c)))
          (.append out c))))
    (str (.append out "\""))))

(defn parse-json-string
  "The source text of one input line; the writer of the input escapes with \\uXXXX, \\n, \\t, \\r, \\b, \\f, \\\" and \\\\ only."
  [^String line]
  (let [start (+ (.indexOf line "\"source\":\"") 10)
        out (StringBuilder.)]
    (loop [i start]
      (let [c (.charAt line i)]
        (case c
          \" (str out)
          \\ (let [e (.charAt line (inc i))]
               (if (= e \u)
                 (do (.append out (char (Integer/parseInt (subs line (+ i 2) (+ i 6)) 16)))
                     (recur (+ i 6)))
                 (do (.append out (case e \n \newline \t \tab \r \return \b \backspace \f \formfeed e))
                     (recur (+ i 2)))))
          (do (.append out c) (recur (inc i))))))))

(def aliases
  '[[clojure.string :as str] [clojure.string :as string] [clojure.set :as set] [clojure.walk :as walk] [clojure.edn :as edn] [clojure.math :as math]])

(defn fresh-user-namespace
  "No program sees what another defined or derived."
  []
  (remove-ns 'user)
  (alter-var-root (var clojure.core/global-hierarchy) (constantly (make-hierarchy)))
  (binding [*ns* (create-ns 'user)]
    (clojure.core/refer-clojure)
    (apply require aliases)
    *ns*))

(defn root-cause [^Throwable e]
  (if (and (instance? clojure.lang.Compiler$CompilerException e) (.getCause e)) (recur (.getCause e)) e))

(defn run-program [source]
  (let [out (StringWriter.)
        home (fresh-user-namespace)]
    (binding [*ns* home *out* out *err* (StringWriter.) *1 nil *2 nil *3 nil]
      (try
        (let [reader (PushbackReader. (StringReader. source))
              value (loop [value nil]
                      (let [form (read {:eof ::end :read-cond :allow} reader)]
                        (if (= form ::end) value (recur (eval form)))))
              printed (pr-str value)]
          {:value printed :out (str out)})
        (catch Throwable e
          (let [cause (root-cause e)]
            {:error (.getName (class cause)) :message (str (ex-message cause)) :out (str out)}))))))

(defn -main []
  (java.util.TimeZone/setDefault (java.util.TimeZone/getTimeZone "UTC"))
  (java.util.Locale/setDefault java.util.Locale/ROOT)
  (let [^ExecutorService pool (Executors/newCachedThreadPool
                               (reify java.util.concurrent.ThreadFactory
                                 (newThread [_ task] (doto (Thread. nil task "program" (* 64 1024 1024)) (.setDaemon true)))))]
    (doseq [line (line-seq (BufferedReader. *in*))]
      (let [source (parse-json-string line)
            task (.submit pool ^Callable (fn [] (run-program source)))
            result (try (.get task time-limit-ms TimeUnit/MILLISECONDS)
                        (catch TimeoutException _ (.cancel task true) {:error "timeout" :message "" :out ""}))]
        (println (str "{" (str/join "," (for [[k v] result] (str (json-string (name k)) ":" (json-string v)))) "}"))
        (flush))))
  (shutdown-agents)
  (System/exit 0))

(-main)
