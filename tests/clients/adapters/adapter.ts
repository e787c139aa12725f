export type Service = { id: string; location_ids: string[] };
export type Slot = { date: string; start_time: string };
export type Booking = { reference: string; version: number; status: string };
export type SlotQuery = { service_id: string; location_id: string; date: string; date_to: string };
export type Customer = { name: string; phone: string; consent_to_contact: true };
export type NewBooking = Slot &
  Pick<SlotQuery, 'service_id' | 'location_id'> & { external_reference: string; customer: Customer };

/**
 * The API calls of a booking journey, sent with a generated client. Each call returns the data of a successful
 * response, and throws an error otherwise.
 */
export type Adapter = {
  services: () => Promise<Service[]>;
  slots: (query: SlotQuery) => Promise<Slot[]>;
  create: (body: NewBooking, idempotencyKey: string) => Promise<Booking>;
  read: (reference: string) => Promise<Booking>;
  reschedule: (booking: Booking, slot: Slot, idempotencyKey: string) => Promise<Booking>;
  cancel: (booking: Booking, idempotencyKey: string) => Promise<Booking>;
};

/** Returns an adapter for the API at `baseUrl`. Each other file in this directory exports such a function. */
export type Connect = (baseUrl: string, key: string) => Adapter;
