/** Returns the current time. Functions that depend on time take a timestamp or a clock, which tests can control. */
export type Clock = () => Date;

/** The wall clock. Only entry points use it. */
export const systemClock: Clock = () => new Date();
