import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';

/**
 * Returns a function that remembers a location that the member selected, for the next visit in any browser. A failure is
 * not shown: the page already shows the location.
 */
export function useRememberLocation(): (locationId: string | null | undefined) => void {
  const trpc = useTRPC();
  const remember = useMutation(trpc.bookings.remember_location.mutationOptions());
  return (locationId) => locationId && remember.mutate({ location_id: locationId });
}
