/**
 * Returns the current time. Functions that depend on the time take a timestamp or a clock, so that tests can control
 * it.
 */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
