'use client';

import { Text } from '@mantine/core';
import dynamic from 'next/dynamic';
import type { Who } from './who';

// Most people have one business, so the script of the button is not part of every page.
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
