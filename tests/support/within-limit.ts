/** Maximum number of times that `withinLimit` runs a job. */
const RUNS = 5;

/**
 * Measures a job whose duration has a limit. If a run exceeds the limit, repeats the job, because other processes
 * may have delayed the run.
 * @param job returns its result and its duration in milliseconds
 * @returns the first run below the limit, or the last run
 */
export async function withinLimit<T extends { took: number }>(limit: number, job: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    const measured = await job();
    if (measured.took < limit || run === RUNS) return measured;
  }
}
