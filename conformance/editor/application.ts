/** A component with one undefined name, as editors are given it. */
const MAIN = `(ns main)

(defn run [input]
  (let [total (count input)]
    {:total total :more nope}))
`;

/** Its application, a file each. */
export const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': MAIN,
};
