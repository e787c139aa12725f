'use client';

import { createContext, useContext } from 'react';
import type { TenantChoice } from '@/lib/access/owners/memberships';
import { tenantPath } from './tenant-path';

type Tenant = TenantChoice & { environment: 'TEST' | 'LIVE' };

const Tenant = createContext<Tenant | null>(null);

/** Provides the tenant and its environment to all of the tenant's pages. */
export const TenantProvider = Tenant.Provider;

/** Returns the page's tenant; null on pages without a tenant. */
export function useTenant(): Tenant | null {
  return useContext(Tenant);
}

/** Returns a function that adds the page's tenant to the path of another page. See `tenantPath`. */
export function useTenantHref(): (href: string) => string {
  const tenant = useTenant();
  return (href) => (tenant === null ? href : tenantPath(tenant.id, href));
}
