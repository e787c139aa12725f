'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Inputs } from '../../../_components/api-types';
import { useTRPC, useTRPCClient } from '../../../_components/trpc';

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

const CustomerNames = createContext<Names>(NONE);

/** Returns the names of customers by booking reference. Empty if the business has not switched names on. */
export const useCustomerNames = () => useContext(CustomerNames);

/** Provides names that a search has returned. */
export const FoundNames = CustomerNames.Provider;

/** Returns whether the member sees the names of customers; false until this is known. */
export function useNamesShown(isAllowed: boolean): boolean {
  const trpc = useTRPC();
  const found = useQuery(trpc.bookings.names_shown.queryOptions(undefined, { enabled: isAllowed, staleTime: 60_000 }));
  return found.data?.shown ?? false;
}

type Props = {
  view: Inputs['bookings']['names']['view'];
  references: readonly string[];
  /** Whether the role of the member allows to view contacts. */
  isAllowed: boolean;
  children: ReactNode;
};

/**
 * Provides the names of the customers of the shown bookings to `useCustomerNames`. Each set of bookings is one view, which
 * the audit log records. Therefore the names are loaded again only if other bookings are shown, and they are not kept.
 */
export function ViewedNames({ view, references, isAllowed, children }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const shown = useNamesShown(isAllowed);
  const asked = [...new Set(references)].sort();
  const found = useQuery({
    // Not below the key of the router: a change of a booking must not record a further view.
    queryKey: ['viewed', ...trpc.bookings.names.mutationKey(), view, asked],
    queryFn: () => client.bookings.names.mutate({ view, references: asked }),
    enabled: shown && asked.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnMount: false,
    placeholderData: keepPreviousData,
  });
  const names = new Map((found.data?.names ?? []).map(({ reference, name }) => [reference, name]));
  return <CustomerNames value={shown ? names : NONE}>{children}</CustomerNames>;
}
