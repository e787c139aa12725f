/** Tells the time. Functions whose result depends on time take a moment or a clock, so tests can walk it. */
export type Clock = () => Date;

/** The wall clock; only the edges read it. */
export const systemClock: Clock = () => new Date();
