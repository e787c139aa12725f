import type { LiveExample } from './live-example';

/** The deployment that serves the documentation. */
export type Deployment = {
  /** The public origin, without a path. */
  origin: string;
  environment: 'TEST' | 'LIVE';
  /** Prefix of the API keys of this environment. */
  keyPrefix: string;
  /** The URL of the other environment's Control Center, if one is set. */
  otherUrl?: string;
  /** The email address or the URL of support for partners, if one is set. Has no characters that are markup. */
  support?: string;
  /** Records of the sandbox for the examples. Without them, the examples are recorded ones. */
  live?: LiveExample;
};
