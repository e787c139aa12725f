'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import { useToday } from '../day-stepper';

type Query = { location: string | null; date: string | null };

/**
 * Returns what the day and the week schedule have in common: the options of the location field, the shown date, and the
 * input of the procedure that reads the schedule. Without URL parameters, the date is today, and the server selects a
 * location: the one that the member looked at last. A location that the member selects is remembered.
 */
export function useSchedule(query: Query, go: (patch: Partial<Query>) => void) {
  const trpc = useTRPC();
  const today = useToday();
  const remember = useRememberLocation();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  // Without a location in the URL, the server selects one. This location stays selected when the date changes.
  const [kept, setKept] = useState<string | null>(null);
  const date = query.date ?? today;
  const selected = query.location ?? kept;
  return {
    choices,
    date,
    today,
    input: { location_id: selected, date: date ?? '2000-01-01' },
    /** `loaded` is the ID of the location for which the server returned the schedule. */
    locationOf: (loaded: string | undefined) => selected ?? loaded ?? null,
    /** `shown` is the ID of the shown location, which stays selected if only the date changes. */
    change: (shown: string | null, patch: Partial<Query>) => {
      setKept(shown);
      remember(patch.location);
      go(patch);
    },
  };
}

export type Schedule = ReturnType<typeof useSchedule>;

/**
 * Returns a function that remembers a location that the member selected, for the next visit in any browser. A failure is
 * not shown: the page already shows the location.
 */
export function useRememberLocation(): (locationId: string | null | undefined) => void {
  const trpc = useTRPC();
  const remember = useMutation(trpc.bookings.remember_location.mutationOptions());
  return (locationId) => locationId && remember.mutate({ location_id: locationId });
}
