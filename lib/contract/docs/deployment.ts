/** What the documentation says of the deployment that serves it. */
export type Deployment = {
  /** The public origin, without a path. */
  origin: string;
  environment: 'TEST' | 'LIVE';
  /** How keys of this environment begin. */
  keyPrefix: string;
};
