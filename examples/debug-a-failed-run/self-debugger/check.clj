(ns check
  "Holds the helper debug.start to a capture, without a model: what it shows must be what debug.walk proves in a mission that
  the helper is no part of.")

(defn- returned
  "What a program of a mission returned; every other end of it ends the run."
  [mission program]
  (let [evaluation (kernel/eval-source mission program)]
    (if (= "returned" (:outcome evaluation))
      (:value evaluation)
      (fail evaluation))))

(defn run
  "What was compared, where all of it agrees."
  [_]
  (let [shown  (returned "debugger" "(return (debug.start/context))")
        proved (returned "auditor" "(return (debug.walk/report))")
        page   (:component-id (:page shown))
        checks {:same_run     (= (:run-id proved) (:run-id shown))
                :same_program (= (:generated-source proved) (:source (:program shown)))
                :page_reached (if (nil? (:generated-source proved))
                                (nil? page)
                                (contains? (set (:dependency-closure proved)) page))}]
    (if (every? true? (vals checks))
      {:boundary_kind (:boundary-kind proved) :checks checks}
      (fail {:kind :helper-disagrees :checks checks}))))
