/**
 * A function that returns the current time. Functions that depend on the time take a timestamp or a clock, so that
 * tests can control the time.
 */
export type Clock = () => Date;

/** The operating system's clock. */
export const systemClock: Clock = () => new Date();
