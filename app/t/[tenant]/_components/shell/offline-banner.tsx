'use client';

import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';

/** A banner while the browser is offline. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert variant="filled" color="dark" mb="lg" icon={<IconWifiOff aria-hidden />} title="You are offline">
          Nothing can be loaded or saved. What you entered stays on this page. Nothing is sent until you save it again.
        </Alert>
      )}
    </div>
  );
}
