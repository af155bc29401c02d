/** Places that are remembered; beyond them all are swept once more. */
const PLACES = 4096;

/** Which places a process has swept already: many runs of one process need not look through one place each. */
export interface SweptPlaces {
  /** True the first time that a place is asked for, and the first time after `renew`. */
  isDue(place: string): boolean;
  /** A run of this process did not give back all it had: what it left is to be found by the next. */
  renew(): void;
}

export function sweptPlaces(): SweptPlaces {
  const places = new Set<string>();
  return {
    isDue: (place) => {
      if (places.has(place)) return false;
      if (places.size >= PLACES) places.clear();
      places.add(place);
      return true;
    },
    renew: () => {
      places.clear();
    },
  };
}
