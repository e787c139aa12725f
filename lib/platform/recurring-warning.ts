import { log } from './log';

const REPORT_EVERY_MS = 60_000;

/** A warning about a problem that is found again many times per minute while it lasts. */
export type RecurringWarning = {
  warn: (error: unknown) => void;
  /** The next call of `warn` then writes the warning immediately. */
  over: () => void;
};

/** Returns a warning that is written at most once a minute, so that an outage does not fill the disk of the log. */
export function recurringWarning(message: string): RecurringWarning {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    warn: (error) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      log().warn({ err: error }, message);
    },
    over: () => {
      reportedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
