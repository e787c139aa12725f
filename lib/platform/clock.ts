/** Code that depends on the time takes a timestamp or a clock, so that tests can control it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
