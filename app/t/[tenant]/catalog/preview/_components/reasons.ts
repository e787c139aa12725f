/** Why a start cannot be booked, by the reason that partners get. */
const TEXTS: Record<string, string> = {
  service_unpublished: 'The service is not published.',
  specialist_unavailable: 'The specialist is not published, or does not offer the service here.',
  nonexistent_local_time: 'Daylight saving skips this time.',
  lead_time: 'In the past, or sooner than the lead time of the service allows.',
  max_advance: 'Further ahead than the service can be booked.',
  off_grid: 'Not one of the starts of the service: see its slot interval.',
  outside_schedule: 'Outside the hours of the location or the specialist, or on a break, time off, or blocked.',
  slot_taken: 'Booked, or too close to another booking.',
};

/** Returns why a start cannot be booked, or the reason itself if a later version of the server states another one. */
export function reasonText(reason: string): string {
  return TEXTS[reason] ?? reason;
}
