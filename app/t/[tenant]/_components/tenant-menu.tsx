'use client';

import { Text } from '@mantine/core';
import dynamic from 'next/dynamic';
import type { Who } from './who';

// Most people have only one business and do not need this menu, so its script is loaded only when it is shown.
const TenantSwitch = dynamic(() => import('./tenant-switch').then((module) => module.TenantSwitch));

/**
 * The name of the business in the header. If the user has several businesses, the name is a menu that opens the
 * other businesses.
 */
export function TenantMenu({ who }: { who: Who }) {
  if (who.tenants.length > 1) return <TenantSwitch who={who} />;
  return (
    <Text fw={650} truncate>
      {who.tenantName}
    </Text>
  );
}
