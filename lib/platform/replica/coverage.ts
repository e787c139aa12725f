/**
 * Maximum number of samples. When it is exceeded, every second sample is dropped. By default, four samples are added
 * per second, so this happens only if the lag exceeds four minutes.
 */
const MAX_SAMPLES = 1_000;

/**
 * Tracks which changes a replica has. Times are values of `performance.now()`. A position is a number of bytes in the
 * write-ahead log.
 */
export type Coverage = {
  /**
   * Adds a sample: `position`, the end of the primary's write-ahead log, was read at the time `at` or a little later.
   */
  sampled: (at: number, position: bigint) => void;
  /** Records that the replica has replayed the write-ahead log up to `position`. */
  replayed: (position: bigint) => void;
  /**
   * Returns a time. The replica has all changes that were committed before this time, and possibly later ones. Returns
   * -Infinity if nothing is known yet.
   */
  until: () => number;
};

type Sample = { at: number; position: bigint };

/**
 * Creates a `Coverage` without samples. It compares positions in the write-ahead log, because they are the same on the
 * primary and the replica, unlike the clocks. The age of the last replayed transaction would not be a correct lag,
 * because this age grows while nobody changes anything.
 */
export function createCoverage(): Coverage {
  let samples: Sample[] = [];
  let until = Number.NEGATIVE_INFINITY;
  return {
    sampled: (at, position) => {
      const last = samples.at(-1);
      // After a failover, the log of the new primary may end earlier than the last sample. The replica may then have
      // changes that the new primary does not have, so all samples are discarded.
      if (last && position < last.position) {
        samples = [];
        until = Number.NEGATIVE_INFINITY;
      }
      samples.push({ at, position });
      // With fewer samples, `until` can return an earlier time, but never a later one.
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
