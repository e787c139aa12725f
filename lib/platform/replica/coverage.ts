/**
 * Maximum number of samples (see `Coverage`). If there are more, every second one is dropped. By default, four samples
 * are added per second, so samples are dropped only if the lag exceeds four minutes.
 */
const MAX_SAMPLES = 1_000;

/**
 * Tracks which changes a replica has. Times are values of `performance.now()`. A position is a number of bytes in the
 * write-ahead log.
 */
export type Coverage = {
  /**
   * Adds a sample. `position` is the end of the primary's write-ahead log, read at the time `at` or a little later.
   */
  sampled: (at: number, position: bigint) => void;
  /** Records that the replica has replayed the write-ahead log up to `position`. */
  replayed: (position: bigint) => void;
  /**
   * Returns a time before which all committed changes are known to be on the replica. Later changes may be on it too.
   * Returns -Infinity if nothing is known yet.
   */
  until: () => number;
};

type Sample = { at: number; position: bigint };

/**
 * Creates a `Coverage` without samples. A `Coverage` compares positions in the write-ahead log. It does not compare
 * times of the primary and the replica, because their clocks differ. It does not use the age of the last replayed
 * transaction as the lag, because this age grows even while nobody changes anything.
 */
export function createCoverage(): Coverage {
  let samples: Sample[] = [];
  let until = Number.NEGATIVE_INFINITY;
  return {
    sampled: (at, position) => {
      const last = samples.at(-1);
      // After a failover, the new primary may lack the last changes of the old primary. The replica may already have
      // these changes, so all samples are discarded.
      if (last && position < last.position) {
        samples = [];
        until = Number.NEGATIVE_INFINITY;
      }
      samples.push({ at, position });
      // With fewer samples, the time that `until()` returns can be too early, but never too late.
      if (samples.length > MAX_SAMPLES) samples = samples.filter((_, index) => index % 2 === 0);
    },
    replayed: (position) => {
      const index = samples.findLastIndex((sample) => sample.position <= position);
      if (index < 0) return;
      samples = samples.slice(index);
      until = samples[0]?.at ?? until;
    },
    until: () => until,
  };
}
