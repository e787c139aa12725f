import type { Deployment } from '@/lib/contract/docs/deployment';
import { env } from '@/lib/platform/env';

/** Returns the deployment that the documentation describes. */
export function docsDeployment(): Deployment {
  const { origin, ENVIRONMENT, keyPrefix, OTHER_ENVIRONMENT_URL: otherUrl } = env();
  return { origin, environment: ENVIRONMENT, keyPrefix, otherUrl };
}
