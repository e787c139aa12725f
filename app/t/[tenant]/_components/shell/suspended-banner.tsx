import { Alert } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';

/** A banner on every page while the business is suspended. */
export function SuspendedBanner() {
  return (
    <Alert variant="filled" color="red.9" mb="lg" icon={<IconBan aria-hidden />} title="This business is suspended">
      Partners’ requests are refused, and webhooks are held. You can read everything, but nothing can be changed until
      the operator resumes the business.
    </Alert>
  );
}
