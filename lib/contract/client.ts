// Client of the Partner Booking API v1. One file without dependencies, for Node.js, Deno, and Bun.
// The guide /docs/guides/clients lists the tested versions.
// Generated from the contract by npx tsx tests/contract/generate-types.ts. Do not edit.
//
//   const client = partnerClient({ baseUrl, apiKey });
//   const { services } = await client.listCatalog();
//
// Every method retries after a temporary failure. A retried write keeps its idempotency key. After any other failure,
// the method throws a PartnerError.

/** The error codes. */
export type ErrorCode =
  | 'invalid_api_key'
  | 'insufficient_scope'
  | 'credential_restricted'
  | 'invalid_request'
  | 'booking_unavailable'
  | 'not_found'
  | 'idempotency_key_reused'
  | 'booking_version_conflict'
  | 'endpoint_unavailable'
  | 'rate_limited'
  | 'service_unavailable';

/** The known reasons. More reasons may be added: treat an unknown reason like null. */
export type ErrorReason =
  | 'missing'
  | 'wrong_environment'
  | 'malformed'
  | 'failed_authentication'
  | 'suspended'
  | 'ip'
  | 'origin'
  | 'location'
  | 'unknown_field'
  | 'cursor_mismatch'
  | 'events_expired'
  | 'sequence_unknown'
  | 'idempotency_key_required'
  | 'location_required'
  | 'sensitive_reference'
  | 'unknown_route'
  | 'booking_not_active'
  | 'outside_cancellation_window'
  | 'not_started'
  | 'not_reopenable'
  | 'same_slot'
  | 'service_unpublished'
  | 'specialist_unavailable'
  | 'nonexistent_local_time'
  | 'lead_time'
  | 'max_advance'
  | 'off_grid'
  | 'outside_schedule'
  | 'slot_taken'
  | 'no_endpoint'
  | 'endpoint_paused'
  | 'endpoint_disabled'
  | (string & {});

export type Service = {
  /** Id of the service. */
  id: string;
  /** Name, in the response language. */
  name: string;
  /** Description, possibly with several lines, in the response language. */
  description: string | null;
  /** Category, as text, in the response language. */
  category: string | null;
  /** Duration, without the internal buffers. */
  duration_minutes: number;
  /** Interval between possible start times, counted from local midnight. */
  slot_interval_minutes: number;
  /** Null if the service has no public price. */
  price: Price | null;
  /** Maximum number of customers per specialist at the same start time. If it is more than 1, the service is a group session. */
  capacity: number;
  /** Minimum time between booking and start. */
  min_lead_minutes: number;
  /** How far in advance the service can be booked, in days of 24 hours. */
  max_advance_days: number;
  /** You may cancel or reschedule up to this long before the start. */
  cancellation_cutoff_minutes: number;
  /** Your locations that offer the service. */
  location_ids: string[];
};

export type Price = {
  /** In minor units of ISO 4217: 4900 is 49.00 EUR, 900000 is 9,000.00 HUF, 4900 is 4,900 JPY. */
  amount: number;
  /** ISO 4217 code. The guide to prices lists the currencies and their decimals. */
  currency: string;
};

export type BusinessLocation = {
  /** Id of the location. */
  id: string;
  /** Name, in the response language. */
  name: string;
  /** Postal address, not localized. */
  address: {
    /** Street and number. */
    line1: string;
    /** City. */
    city: string;
    /** Postal code. */
    postal_code: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
  };
  /** IANA time zone. The dates and times of slots and bookings at this location are in this zone. */
  time_zone: string;
  /** The location's phone number, for customers. */
  phone: string | null;
};

export type Specialist = {
  /** Id of the specialist. */
  id: string;
  /** Name for customers, not localized. */
  display_name: string;
  /** Title, in the response language. */
  title: string | null;
  /** Description, possibly with several lines, in the response language. */
  description: string | null;
  /** URL of a picture, http or https. */
  image_url: string | null;
  /** The services that the specialist provides at your locations. */
  service_ids: string[];
  /** Your locations where the specialist works. */
  location_ids: string[];
};

export type Slot = {
  /** Start date, in the location's time zone. */
  date: string;
  /** Wall-clock start time, in the location's time zone. */
  start_time: string;
  /** Wall-clock end time. May be on the next day; `ends_at` is authoritative. */
  end_time: string;
  /** Start in RFC 3339 format, with the location's UTC offset. */
  starts_at: string;
  /** End in RFC 3339 format, with the location's UTC offset. */
  ends_at: string;
  /** The location's IANA time zone. */
  time_zone: string;
  /** Id of the service. */
  service_id: string;
  /** Id of the location. */
  location_id: string;
  /** Seats left, across all of this slot's specialists. */
  available_capacity: number;
  /** The available specialists. The list contains at least one. */
  specialist_ids: string[];
};

export type Booking = {
  /** Identifies the booking in later requests. */
  reference: string;
  /** Starts at 1 and increases by 1 with every change. */
  version: number;
  /** Every status except `confirmed` is final. */
  status: 'confirmed' | 'cancelled' | 'completed' | 'no_show';
  /** Id of the service. */
  service_id: string;
  /** Id of the location. */
  location_id: string;
  /** Id of the specialist. */
  specialist_id: string;
  /** Start date, in the location's time zone. */
  date: string;
  /** Wall-clock start time, in the location's time zone. */
  start_time: string;
  /** Wall-clock end time. May be on the next day; `ends_at` is authoritative. */
  end_time: string;
  /** Start in RFC 3339 format, with the location's UTC offset. */
  starts_at: string;
  /** End in RFC 3339 format, with the location's UTC offset. */
  ends_at: string;
  /** The location's IANA time zone. */
  time_zone: string;
  /** Your own reference. */
  external_reference: string;
  /** The price of the service when the booking was created, for one seat. It never changes. Null if the service had no public price, or if the booking is older than this field. Only the replay of a response that is older than this field lacks it. */
  price?: Price | null | undefined;
  customer: {
    /** Null after anonymization. */
    name: string | null;
    /** Country code and last three digits. Null after anonymization. */
    phone_masked: string | null;
    /** First character of both parts, and the last label. Null if there is none, or after anonymization. Not in lists. */
    email_masked?: string | null | undefined;
    /** The `locale` of the create. Null if there is none, or after anonymization. Not in lists. */
    locale?: string | null | undefined;
  };
  /** Whether you may cancel the booking now. */
  cancellable: boolean;
  /** Whether you may reschedule the booking now. */
  reschedulable: boolean;
  /** The last time at which you may change the booking, inclusive. Null if the status is final. */
  change_deadline: string | null;
  /** When the booking was canceled. */
  cancelled_at: string | null;
  /** Who canceled the booking. */
  cancelled_by: 'partner' | 'owner' | null;
  /** When the booking was created. */
  created_at: string;
  /** When the booking last changed. */
  updated_at: string;
  /** Length of the `note` of the create, whose text is never returned. Null if there is none, or after anonymization. Not in lists. */
  note_characters?: number | null | undefined;
  /** The `metadata` of the create. Null if there is none, or after anonymization. Not in lists. */
  metadata?: Record<string, string> | null | undefined;
};

export type ErrorDetail = {
  /** Stable machine-readable code. Base your error handling on this code. */
  code: string;
  /** Human-readable text. */
  message: string;
  /** A stable word that narrows the code. New reasons may be added: treat an unknown reason like null. */
  reason: string | null;
  /** Empty unless the code is `invalid_request`, or `not_found` for an unknown id. */
  fields: {
    /** Path of the field in the request. The name of an unknown field is shown as `*` if the name could contain customer data. */
    path: string;
    /** The expected value. Never repeats the sent value. */
    message: string;
  }[];
  /** Documentation of this error. */
  doc_url: string;
};

export type BookingEvent = {
  /** Equal to the `webhook-id` header. The id is the same on every retry and replay. */
  id: string;
  /** Time of the event. */
  timestamp: string;
  api_version: 'v1';
  environment: 'TEST' | 'LIVE';
  /** The number of the event among all events of your application, without a gap, in the order of the changes. Equal to the `webhook-sequence` header. Only an event that is older than this field, or a delivery more than 30 days after its event, lacks it. */
  sequence?: number | undefined;
  type: 'booking.created' | 'booking.rescheduled' | 'booking.updated' | 'booking.cancelled' | 'booking.completed' | 'booking.no_show' | 'booking.upcoming' | 'booking.anonymized';
  data: {
    booking: {
      /** Identifies the booking in later requests. */
      reference: string;
      /** Your own reference. */
      external_reference: string;
      /** The booking's version. Use it to order events, because events may arrive in any order. */
      version: number;
      status: 'confirmed' | 'cancelled' | 'completed' | 'no_show';
      /** Id of the service. */
      service_id: string;
      /** Id of the location. */
      location_id: string;
      /** Id of the specialist. */
      specialist_id: string;
      /** Start date, in the location's time zone. */
      date: string;
      /** Wall-clock start time, in the location's time zone. */
      start_time: string;
      /** Wall-clock end time. May be on the next day; `ends_at` is authoritative. */
      end_time: string;
      /** Start in RFC 3339 format, with the location's UTC offset. */
      starts_at: string;
      /** End in RFC 3339 format, with the location's UTC offset. */
      ends_at: string;
      /** The location's IANA time zone. */
      time_zone: string;
    };
    /** The slot before a `booking.rescheduled` or `booking.updated`. Null for other types. */
    previous: {
      /** Start date, in the location's time zone. */
      date: string;
      /** Wall-clock start time, in the location's time zone. */
      start_time: string;
      /** Start in RFC 3339 format, with the location's UTC offset. */
      starts_at: string;
      /** Id of the specialist. */
      specialist_id: string;
    } | null;
    /** Who made the change. `system` for a `booking.upcoming`, a `booking.updated` because of time zone rules, and a `booking.completed` that the business has automated. */
    actor: 'partner' | 'owner' | 'system';
    /** Only in `booking.updated`. `time_zone_rules`: the rules of the time zone changed. The local date and start time stay, and `starts_at` and `ends_at` move. If the clock changes during the appointment, `end_time` may move too, or alone. `reopened`: the owner undid a completion or a no-show, so `status` is `confirmed` again. Nothing moves. */
    cause?: 'time_zone_rules' | 'reopened' | undefined;
    /** Only in `booking.upcoming`: 24 or 2, the hours before the start from which the event is emitted. Compare `starts_at` with your clock, because a delivery can be late. */
    hours_before?: number | undefined;
  };
};

export type AvailabilityChangedEvent = {
  /** Equal to the `webhook-id` header. The id is the same on every retry and replay. */
  id: string;
  /** Time of the event. */
  timestamp: string;
  api_version: 'v1';
  environment: 'TEST' | 'LIVE';
  /** The number of the event among all events of your application, without a gap, in the order of the changes. Equal to the `webhook-sequence` header. Only an event that is older than this field, or a delivery more than 30 days after its event, lacks it. */
  sequence?: number | undefined;
  type: 'availability.changed';
  data: {
    /** What to read again. Everything else has not changed since the event before. */
    changes: ({
      /** Null: every service. */
      service_id: string | null;
      /** Null: every location that you may use. */
      location_id: string | null;
      /** The first date on which free slots may have changed, in the time zone of the location. Null: every date. */
      date: string | null;
      /** The last date on which free slots may have changed, in the time zone of the location. Null: every date. */
      date_to: string | null;
      /** The dates, in order. Null: every date from `date` to `date_to`. */
      dates: string[] | null;
    })[];
    /** Send it as `min_token`: the response is then not older than the change, whichever server sends it. It is not an `ETag`. */
    token: string;
  };
};

export type CatalogChangedEvent = {
  /** Equal to the `webhook-id` header. The id is the same on every retry and replay. */
  id: string;
  /** Time of the event. */
  timestamp: string;
  api_version: 'v1';
  environment: 'TEST' | 'LIVE';
  /** The number of the event among all events of your application, without a gap, in the order of the changes. Equal to the `webhook-sequence` header. Only an event that is older than this field, or a delivery more than 30 days after its event, lacks it. */
  sequence?: number | undefined;
  type: 'catalog.changed';
  data: {
    /** Send it as `min_token`: the response is then not older than the change, whichever server sends it. It is not an `ETag`. */
    token: string;
  };
};

export type TestEvent = {
  /** Equal to the `webhook-id` header. The id is the same on every retry and replay. */
  id: string;
  /** Time of the event. */
  timestamp: string;
  api_version: 'v1';
  environment: 'TEST' | 'LIVE';
  /** The number of the event among all events of your application, without a gap, in the order of the changes. Equal to the `webhook-sequence` header. Only an event that is older than this field, or a delivery more than 30 days after its event, lacks it. */
  sequence?: number | undefined;
  type: 'webhook.test';
  data: Record<string, never>;
};

export type BusyTime = {
  /** Your own id of the busy time. */
  external_id: string;
  /** Begins with 1, and grows by 1 with each change. */
  version: number;
  /** Id of the location. */
  location_id: string;
  /** Null if the whole location is busy. */
  specialist_id: string | null;
  /** UTC timestamp. */
  starts_at: string;
  /** UTC timestamp. */
  ends_at: string;
};

export type CreateBooking = {
  /** The service, from the catalog. */
  service_id: string;
  location_id?: string | null | undefined;
  specialist_id?: string | null | undefined;
  /** Date in the location's time zone, `YYYY-MM-DD`. */
  date: string;
  /** Wall-clock time in the location's time zone, `HH:MM` in 24 hours. */
  start_time: string;
  /** Your own reference, such as an order number, ticket number, or UUID. Must not contain customer data, credentials, or other sensitive values. A standalone number that looks like a card number is refused, even if it is not a card number. */
  external_reference: string;
  customer: {
    /** Full name of the customer. */
    name: string;
    /** In international format: `+`, a country code, and the rest of the number. Has 7 to 15 digits, including the country code. Spaces, dots, dashes, parentheses, and invisible characters are removed, and so is the trunk prefix in `+44 (0)20` or `+36 (06) 1`. */
    phone: string;
    /** Explicit consent to be contacted. The time of consent is stored. */
    consent_to_contact: true;
    consent_source?: string | null | undefined;
    consent_text_version?: string | null | undefined;
    email?: string | null | undefined;
    locale?: string | null | undefined;
  };
  note?: string | null | undefined;
  metadata?: Record<string, string> | null | undefined;
};

export type CancelBooking = {
  /** The version of the booking that you last read. */
  expected_version: number;
  reason?: 'customer_request' | 'duplicate' | 'other' | null | undefined;
};

export type RescheduleBooking = {
  /** The version of the booking that you last read. */
  expected_version: number;
  /** Date in the location's time zone, `YYYY-MM-DD`. */
  date: string;
  /** Wall-clock time in the location's time zone, `HH:MM` in 24 hours. */
  start_time: string;
  specialist_id?: string | null | undefined;
};

/** An empty object, `{}`. */
export type SendTestEvent = Record<string, never>;

export type PutBusyTime = {
  /** The location at which the time is busy. */
  location_id: string;
  specialist_id?: string | null | undefined;
  /** Start, inclusive. Seconds are dropped. */
  starts_at: string;
  /** End, exclusive, at most 31 days after the start and two years ahead. Seconds count as a minute. */
  ends_at: string;
  expected_version?: number | null | undefined;
};

/** An event that a webhook delivers. New types may be added: ignore events of unknown types. */
export type WebhookEvent = BookingEvent | AvailabilityChangedEvent | CatalogChangedEvent | TestEvent;

/** The query parameters of `listCatalog`. */
export type ListCatalogQuery = {
  /** BCP 47 language tag; `de_DE` is read as `de-DE`. Takes precedence over `Accept-Language`. Unsupported languages, and words that are no tag of a language, such as `german`, fall back to the default: `Content-Language` states what you get. */
  locale?: string | undefined;
  /** Records per page, 1 to 50. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ. */
  cursor?: string | undefined;
  /** A `token` from an earlier response or an event: the response is not older than it, whichever server sends it. Only tokens of the same business. */
  min_token?: string | undefined;
};

/** The query parameters of `listSpecialists`. */
export type ListSpecialistsQuery = {
  /** Only specialists who offer this service. */
  service_id?: string | undefined;
  /** Only specialists who work at this location. */
  location_id?: string | undefined;
  /** BCP 47 language tag; `de_DE` is read as `de-DE`. Takes precedence over `Accept-Language`. Unsupported languages, and words that are no tag of a language, such as `german`, fall back to the default: `Content-Language` states what you get. */
  locale?: string | undefined;
  /** Records per page, 1 to 50. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ. */
  cursor?: string | undefined;
  /** A `token` from an earlier response or an event: the response is not older than it, whichever server sends it. Only tokens of the same business. */
  min_token?: string | undefined;
};

/** The query parameters of `listAvailability`. */
export type ListAvailabilityQuery = {
  /** The service to find slots for. */
  service_id: string;
  /** First day, in the location's time zone. */
  date: string;
  /** The location. Optional if the service is offered at exactly one of your locations. */
  location_id?: string | undefined;
  /** Only slots with this specialist. By default, slots with any specialist. */
  specialist_id?: string | undefined;
  /** Last day, inclusive; at most 30 days after `date`. By default, equal to `date`. */
  date_to?: string | undefined;
  /** For a reschedule: one of your active bookings, whose time is treated as free. The booking must be for this service and location. Also requires `booking.manage`. */
  exclude_reference?: string | undefined;
  /** BCP 47 language tag; `de_DE` is read as `de-DE`. Takes precedence over `Accept-Language`. Unsupported languages, and words that are no tag of a language, such as `german`, fall back to the default: `Content-Language` states what you get. */
  locale?: string | undefined;
  /** Records per page, 1 to 96. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ. */
  cursor?: string | undefined;
  /** A `token` from an earlier response or an event: the response is not older than it, whichever server sends it. Only tokens of the same business. */
  min_token?: string | undefined;
};

/** The query parameters of `listAvailabilityDays`. */
export type ListAvailabilityDaysQuery = {
  /** The services to find slots for. Up to 20 ids, separated by commas. */
  service_ids: string;
  /** First day, in the time zone of each location. */
  date: string;
  /** Last day, inclusive; at most 61 days after `date`. By default, equal to `date`. Not with `next=true`. */
  date_to?: string | undefined;
  /** The locations. By default, all of your locations that offer each service. Up to 20 ids, separated by commas. */
  location_ids?: string | undefined;
  /** Only slots with these specialists. By default, slots with any specialist. Up to 20 ids, separated by commas. */
  specialist_ids?: string | undefined;
  /** If true, the response has no days, but the next free slot of each combination, from `date` to the end of what can be booked. */
  next?: boolean | undefined;
  /** A `token` from an earlier response or an event: the response is not older than it, whichever server sends it. Only tokens of the same business. */
  min_token?: string | undefined;
};

/** The query parameters of `explainAvailability`. */
export type ExplainAvailabilityQuery = {
  /** The service to explain. */
  service_id: string;
  /** The day, in the location's time zone. */
  date: string;
  /** The location. Optional if the service is offered at exactly one of your locations. */
  location_id?: string | undefined;
  /** Only this specialist. By default, all who offer the service there. */
  specialist_id?: string | undefined;
  /** Records per page, 1 to 96. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ. */
  cursor?: string | undefined;
};

/** The query parameters of `listBookings`. */
export type ListBookingsQuery = {
  /** The `external_reference` of the bookings, exactly as sent when the bookings were created. Required, unless `from` and `to`, or `updated_since`, limit the list. Alone, the list is newest first. */
  external_reference?: string | undefined;
  /** First day of the appointments, in the location's time zone. */
  from?: string | undefined;
  /** Last day, inclusive; at most 30 days after `from`. */
  to?: string | undefined;
  /** Only bookings that changed at or after this time, at most 31 days ago: the `next_updated_since` of your last list. */
  updated_since?: string | undefined;
  /** Only bookings with this status. */
  status?: 'confirmed' | 'cancelled' | 'completed' | 'no_show' | undefined;
  /** Only bookings at this location. */
  location_id?: string | undefined;
  /** Records per page, 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ. */
  cursor?: string | undefined;
};

/** The query parameters of `digestBookings`. */
export type DigestBookingsQuery = {
  /** First day of the appointments, in the location's time zone. */
  from: string;
  /** Last day, inclusive; at most 30 days after `from`. */
  to: string;
};

/** The query parameters of `listEvents`. */
export type ListEventsQuery = {
  /** The `sequence` of the last event that you have processed, or that of a list or digest. Without it, the list begins with your oldest event that is kept. */
  after?: number | undefined;
  /** Records per page, 1 to 100. */
  limit?: number | undefined;
};

/** One page of `listCatalog`. */
export type ListCatalogData = {
  /** The services on this page, ordered by id. */
  services: Service[];
  /** On the first page, all of your locations. On other pages, the locations of the services on this page, again. */
  locations: BusinessLocation[];
  /** Opaque cursor for the next page. Null on the last page. */
  next_cursor: string | null;
  /** Stands for this answer to this query: it changes when, and only when, the answer changes. Equal to the value of `ETag`. */
  token: string;
};

/** One page of `listSpecialists`. */
export type ListSpecialistsData = {
  specialists: Specialist[];
  /** Opaque cursor for the next page. Null on the last page. */
  next_cursor: string | null;
  /** Stands for this answer to this query: it changes when, and only when, the answer changes. Equal to the value of `ETag`. */
  token: string;
};

/** One page of `listAvailability`. */
export type ListAvailabilityData = {
  slots: Slot[];
  /** Opaque cursor for the next page. Null on the last page. */
  next_cursor: string | null;
  /** Stands for this answer to this query: it changes when, and only when, the answer changes. Equal to the value of `ETag`. */
  token: string;
};

/** One page of `explainAvailability`. */
export type ExplainAvailabilityData = {
  starts: ({
    /** Wall-clock start time, in the location's time zone. */
    start_time: string;
    /** Null if the local time does not exist on this date. */
    starts_at: string | null;
    /** Why a create would be refused with this start now. Null if the start can be booked. The reasons are those of a refused create, and more may be added. */
    reason: string | null;
    /** Ordered by id. Empty if no published specialist offers the service there. */
    specialists: ({
      /** Id of the specialist. */
      specialist_id: string;
      /** The same with this specialist alone. The reasons are those of a refused create, and more may be added. */
      reason: string | null;
    })[];
  })[];
  /** Id of the service. */
  service_id: string;
  /** Id of the location. */
  location_id: string;
  /** Start date, in the location's time zone. */
  date: string;
  /** IANA time zone of the location. */
  time_zone: string;
  /** The earliest start that the lead time of the service allows now. */
  bookable_from: string;
  /** The latest start that the horizon of the service allows now. */
  bookable_until: string;
  /** Opaque cursor for the next page. Null on the last page. */
  next_cursor: string | null;
};

/** One page of `listBookings`. */
export type ListBookingsData = {
  /** With `external_reference` alone: newest first. Otherwise by `reference`, each booking once. Empty if your application has no such booking. */
  bookings: Booking[];
  /** Opaque cursor for the next page. Null on the last page. */
  next_cursor: string | null;
  /** Not in a list with `external_reference` alone. The sequence of your latest event when the list began, the same on each page: apply the events after it to the list. 0 without an event. */
  sequence?: number | undefined;
  /** Not in a list with `external_reference` alone. The `updated_since` of your next list, the same on each page: no change is missed. Null without an event: use your last value. */
  next_updated_since?: string | null | undefined;
};

/** Returns a client. Its methods do not use `this`, so you can pass them as functions. */
export function partnerClient(options: ClientOptions) {
  const send = transport(options);
  return {
    /** List services and locations. Returns the published services and the locations where you may book them, ordered by id and paginated. Scope `catalog.read`. */
    listCatalog: (query: ListCatalogQuery = {}) => send<ListCatalogData>('GET', '/catalog', { query }),
    /** List specialists. Returns the published specialists, filtered by service and location, ordered by id and paginated. With both filters, a specialist must offer that service at that location. Scope `catalog.read`. */
    listSpecialists: (query: ListSpecialistsQuery = {}) => send<ListSpecialistsData>('GET', '/catalog/specialists', { query }),
    /** List free slots. Returns the slots that can be booked now, one per start time, ordered by `starts_at`. A date in the past or beyond `max_advance_days` has no slots. Scope `availability.read`. */
    listAvailability: (query: ListAvailabilityQuery) => send<ListAvailabilityData>('GET', '/availability', { query }),
    /** List days with free slots. Returns for each day whether it has a free slot, and the first one, for several services and locations at once. With `next=true`, returns the next free slot instead. Scope `availability.read`. */
    listAvailabilityDays: (query: ListAvailabilityDaysQuery) => send<{
      /** One entry per service and location, in the order of the services, then of the locations. */
      combinations: ({
        /** Id of the service. */
        service_id: string;
        /** Id of the location. */
        location_id: string;
        /** The location's IANA time zone. */
        time_zone: string;
        /** Every day from `date` to `date_to`, in order. Empty with `next=true`. */
        days: ({
          /** The day, in the location's time zone. */
          date: string;
          /** Whether the day has a free slot. */
          available: boolean;
          /** The first free slot of the day, or null. */
          first_slot: Slot | null;
        })[];
        /** Only with `next=true`: the next free slot. Null if there is none up to `searched_to`. */
        next_slot: Slot | null;
        /** The last day that was searched. With `next=true` and without a slot, `complete` says whether later days can have one. */
        searched_to: string;
        /** Whether the search reached its end. If false, the request was too large to search every day: send it again with `date` on the day after `searched_to`. Only a request with `next=true` can be incomplete. */
        complete: boolean;
      })[];
      /** Stands for this answer to this query: it changes when, and only when, the answer changes. Equal to the value of `ETag`. */
      token: string;
    }>('GET', '/availability/days', { query }),
    /** Explain free and refused starts. Returns every possible start of a service on one day, and why a booking would be refused with it now, also for each specialist. Use it to find out why there is no slot; to offer slots, use `GET /availability`. Scope `availability.read`. */
    explainAvailability: (query: ExplainAvailabilityQuery) => send<ExplainAvailabilityData>('GET', '/availability/explain', { query }),
    /** Create a booking. Books exactly one service for one customer. Only a slot that `GET /availability` currently returns can be booked. If the outcome is uncertain, repeat the request with the same `Idempotency-Key`. Scope `booking.create`. */
    createBooking: (body: CreateBooking, idempotencyKey: string) => send<{
      booking: Booking;
    }>('POST', '/bookings', { body, idempotencyKey }),
    /** List or find bookings. With `external_reference` alone, finds the bookings that have it, newest first. Use this when the outcome of a write is unknown and its idempotency key is lost. With `from` and `to`, or `updated_since`, lists your bookings at your locations. Each booking that matches during the whole reading is on exactly one page, also while bookings change. Scope `booking.manage`. */
    listBookings: (query: ListBookingsQuery = {}) => send<ListBookingsData>('GET', '/bookings', { query }),
    /** Read a booking. Returns one of your application's bookings, with the version that the next change must state. Scope `booking.manage`. */
    readBooking: (reference: string) => send<{
      booking: Booking;
    }>('GET', `/bookings/${encodeURIComponent(reference)}`),
    /** Cancel a booking. Cancels a booking and frees its seat. Allowed until `change_deadline`. Versioned and idempotent. Scope `booking.manage`. */
    cancelBooking: (reference: string, body: CancelBooking, idempotencyKey: string) => send<{
      booking: Booking;
    }>('POST', `/bookings/${encodeURIComponent(reference)}/actions/cancel`, { body, idempotencyKey }),
    /** Reschedule a booking. Moves the booking to another start. Allowed until `change_deadline`. The reference, service, and location stay the same. Versioned and idempotent. Scope `booking.manage`. */
    rescheduleBooking: (reference: string, body: RescheduleBooking, idempotencyKey: string) => send<{
      booking: Booking;
    }>('POST', `/bookings/${encodeURIComponent(reference)}/actions/reschedule`, { body, idempotencyKey }),
    /** Send yourself a test event. Sends the event `webhook.test` to your webhook endpoint, in one attempt. The request body is an empty object. The response does not wait for the attempt. If ten test events are already waiting, the request gets a 429. Idempotent. Scope `webhooks.manage`. */
    sendTestEvent: (body: SendTestEvent, idempotencyKey: string) => send<{
      /** The event that is sent to your endpoint. */
      event: {
        /** The event's id, equal to the `webhook-id` header of the attempt. */
        id: string;
        type: 'webhook.test';
        /** Time of the event. */
        timestamp: string;
      };
    }>('POST', '/webhooks/test-events', { body, idempotencyKey }),
    /** Compare bookings by day. Returns the number of your bookings and a hash of their references and versions for each day, at most 31. Compute the same from your own database: equal hashes prove that both sides agree, and a different one names the day to list. Scope `booking.manage`. */
    digestBookings: (query: DigestBookingsQuery) => send<{
      /** Every day from `from` to `to`. */
      days: {
        /** Date of the appointments, in the location's time zone. */
        date: string;
        /** Number of bookings of this day. */
        count: number;
        /** SHA-256 in hexadecimal over one line `reference:version` per booking, in order of the references. */
        hash: string;
      }[];
      /** The digest is that of the bookings after exactly your events up to this sequence. 0 without an event. */
      sequence: number;
    }>('GET', '/bookings/digest', { query }),
    /** List events. Returns the events of your application after a sequence, oldest first: the same payloads as webhooks, also without an endpoint. Sequences have no gap. Events are kept for 30 days. Scope `booking.manage`. */
    listEvents: (query: ListEventsQuery = {}) => send<{
      /** By `sequence`, without a gap: the same payloads as those of webhooks. Empty if there is no later one. */
      events: (BookingEvent | AvailabilityChangedEvent | CatalogChangedEvent | TestEvent)[];
      /** The sequence of your latest event, or 0. You have all events when your `after` is equal to it. */
      latest_sequence: number;
    }>('GET', '/events', { query }),
    /** Read who you are. Returns the application, the business, and the environment of your API key, and what it may do now. Works with any key, whatever its scopes. Call it first in a new integration, and when a request is refused unexpectedly. Scope `null`. */
    readMe: () => send<{
      application: {
        /** Id of the application. */
        id: string;
        /** Its name in the Control Center. */
        name: string;
      };
      business: {
        /** Name of the business. */
        name: string;
        /** The languages of its texts. */
        languages: string[];
        /** The language of texts without a translation. */
        default_language: string;
      };
      /** The environment of this server. */
      environment: 'TEST' | 'LIVE';
      /** The version of the contract. */
      api_version: 'v1';
      /** What you may do. More scopes may be added. */
      scopes: string[];
      /** Whether you may use every location, also one that is added later. */
      all_locations: boolean;
      /** The published locations that you may use. */
      location_ids: string[];
      quota: {
        /** Requests of all your keys in the window. */
        requests: number;
        /** Length of the window. */
        seconds: number;
      };
      /** What the business expects of agents, programs with a language model. The MCP server follows it. */
      agents: {
        /** Whether an agent must ask a person before each write. */
        confirmation: 'required' | 'not_required';
      };
      key: {
        /** Name of this key. */
        name: string;
        /** Its last four characters. */
        last_four: string;
        /** When it expires, or when its overlap ends after a rotation. Null: never. */
        expires_at: string | null;
      };
    }>('GET', '/me'),
  };
}

/** The settings of a client. All durations are in milliseconds. */
export type ClientOptions = {
  /** The base URL of the API, such as `https://host/api/partner/v1`. */
  baseUrl: string;
  /** The API key. Load it from a secret store, and never use it in a browser. */
  apiKey: string;
  /** The maximum duration of one request, including its response, in milliseconds. Default: 15,000. */
  timeout?: number;
  /** The maximum duration of one call, including its retries and waits, in milliseconds. Default: 60,000. */
  maxDuration?: number;
  /** The maximum number of requests per call. Default: 6. */
  maxAttempts?: number;
  /** Called after each request, for example to log its outcome. `response` never contains the API key. */
  onResponse?: (response: ResponseInfo) => void;
  /** Replaces the global `fetch`, for example to use a proxy or in a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** The outcome of one request, without the body of the response. `status` is 0 if there was no complete response. */
export type ResponseInfo = {
  method: string;
  path: string;
  status: number;
  requestId: string | null;
  /** Whether the response is the stored response to an earlier, identical write. */
  replayed: boolean;
  /** The number of the request within its call. The first request is 1. */
  attempt: number;
};

/** The error of a failed call. Branch on its class, `code`, and `reason`, and log its `requestId`. */
export class PartnerError extends Error {
  override name = 'PartnerError';
  /** The HTTP status. 0 if there was no complete response. */
  status = 0;
  /**
   * The error code. The client adds codes: `unknown` for a response that is not from the API, `redirected`, and for no
   * complete response `connection_refused`, `name_not_found`, `tls_failed`, or else `no_response`.
   */
  code: ErrorCode | 'unknown' | 'redirected' | 'connection_refused' | 'name_not_found' | 'tls_failed' | 'no_response' =
    'no_response';
  /** The word that narrows the code. Treat an unknown reason like null. */
  reason: ErrorReason | null = null;
  /** The invalid fields. Empty unless the code is `invalid_request`. */
  fields: ErrorDetail['fields'] = [];
  requestId: string | null = null;
  /** Seconds to wait before a retry, or 0 if the response states none. */
  retryAfter = 0;
}

/**
 * There was no complete response. The outcome of a write is unknown: repeat the write with the same idempotency key.
 */
export class NoResponseError extends PartnerError {
  override name = 'NoResponseError';
}

/** 401, or 429 with the reason `failed_authentication`: the key is not accepted. Stop, and replace the key. */
export class AuthenticationError extends PartnerError {
  override name = 'AuthenticationError';
}

/** 403: the application lacks a scope or is restricted. Stop, and ask the owner to change the policy. */
export class ForbiddenError extends PartnerError {
  override name = 'ForbiddenError';
}

/** 400 or 405: correct the request. */
export class InvalidRequestError extends PartnerError {
  override name = 'InvalidRequestError';
}

/** 404: the application has no such record. */
export class NotFoundError extends PartnerError {
  override name = 'NotFoundError';
}

/**
 * 409: the request conflicts with the current state, for example because the slot is taken, the version is out of date,
 * or the idempotency key was reused.
 */
export class ConflictError extends PartnerError {
  override name = 'ConflictError';
}

/** 429: the quota was still exceeded after all retries. */
export class RateLimitError extends PartnerError {
  override name = 'RateLimitError';
}

/**
 * 5xx, or a response that is not from the API, for example from a proxy. The client has already repeated the request. The
 * outcome of a write is unknown: repeat the write with the same idempotency key.
 */
export class UnavailableError extends PartnerError {
  override name = 'UnavailableError';
}

/** Thrown for a webhook that is malformed or not authentic, or whose timestamp is not current. Respond with 400. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** The parts of a request. */
export type Sent = { query?: object; body?: object; idempotencyKey?: string };
/** Sends a request, and retries it after a temporary failure. Returns the data of the response. */
export type Send = <Data>(method: 'GET' | 'POST', path: string, sent?: Sent) => Promise<Data>;

/** Returns the function that sends a client's requests. */
export function transport(options: ClientOptions): Send {
  const { maxDuration = 60_000, maxAttempts = 6 } = options;
  return async <Data>(method: 'GET' | 'POST', path: string, sent: Sent = {}) => {
    const deadline = Date.now() + maxDuration;
    for (let attempt = 1; ; attempt += 1) {
      const result = await exchange(options, method, path, sent, attempt, deadline);
      if (!(result instanceof PartnerError)) return result.data as Data;
      const { status, code } = result;
      // After a 5xx or a body that is not from the API, the outcome of a write is uncertain. An invalid key stays
      // invalid: a retry would only count as another failed authentication.
      const temporary =
        (['no_response', 'connection_refused', 'unknown'].includes(code) || status === 429 || status >= 500) &&
        !(result instanceof AuthenticationError);
      const most = code === 'connection_refused' ? Math.min(3, maxAttempts) : maxAttempts;
      const backoff = 500 * 2 ** (attempt - 1);
      const wait = Math.max(result.retryAfter * 1000, backoff) + Math.random() * backoff;
      if (!temporary || attempt >= most || Date.now() + wait >= deadline) throw result;
      // A retry sends the same idempotency key, so a write that has already succeeded is replayed, not repeated.
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
}

/** Sends a request once. Returns the parsed body on success, otherwise the error. */
async function exchange(
  options: ClientOptions,
  method: string,
  path: string,
  { query = {}, body, idempotencyKey }: Sent,
  attempt: number,
  deadline: number,
): Promise<{ data: unknown } | PartnerError> {
  const { baseUrl, apiKey, timeout = 15_000, fetch = globalThis.fetch, onResponse } = options;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // `new Request` would quote an invalid key in its error.
  const key = apiKey.trim();
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey is empty or has characters that a header must not have.');
  const headers: Record<string, string> = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
  if (body) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) };
  // For a request that can never be sent, for example because the idempotency key contains an invalid character,
  // `new Request` throws a TypeError.
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must start with http:// or https://.');
  const { url } = new Request(baseUrl.replace(/\/$/, '') + path + (search && `?${search}`), init);
  const info = { method, path, status: 0, requestId: null as string | null, replayed: false, attempt };
  let text: string;
  let response: Response;
  try {
    const signal = AbortSignal.timeout(Math.max(1, Math.min(timeout, deadline - Date.now())));
    response = await fetch(url, { ...init, signal });
    text = await response.text();
  } catch (cause) {
    onResponse?.(info);
    return noResponse(cause);
  }
  info.status = response.status;
  info.requestId = response.headers.get('X-Request-Id');
  info.replayed = response.headers.get('Idempotent-Replayed') === 'true';
  onResponse?.(info);
  const { data, error } = parse(text);
  return response.ok && data ? { data } : errorOf(response, response.ok ? undefined : error);
}

/** The causes that the messages of errors can name, as codes and words of Node.js, Deno, and Bun. */
const CAUSES = [
  ['no_response', /TimeoutError|ETIMEDOUT|TIMEOUT|timed out/, 'There was no complete response in time.'],
  ['connection_refused', /ECONNREFUSED|connection ?refused/i, 'The connection was refused: check the base URL.'],
  ['name_not_found', /ENOTFOUND|name or service not known/i, 'The host name was not found: check the base URL.'],
  [
    'tls_failed',
    /ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_|certificate/i,
    'The TLS connection failed: check the base URL and the certificate.',
  ],
] as const;

/** Returns the error of a request without a complete response. Its message states the cause. */
function noResponse(cause: unknown): NoResponseError {
  const chain = [cause, cause instanceof Error ? cause.cause : null].filter((one) => one instanceof Error);
  const words = chain.map((one) => `${one.name} ${'code' in one ? String(one.code) : ''} ${one.message}`).join(' ');
  const [code, , message] = CAUSES.find(([, pattern]) => pattern.test(words)) ?? [];
  const lost = `There was no complete response: ${chain.at(-1)?.message.slice(0, 200) || 'the connection was lost'}.`;
  return Object.assign(new NoResponseError(message ?? lost), { code: code ?? 'no_response', cause });
}

type Envelope = { data?: unknown; error?: Partial<ErrorDetail> | null; meta?: { request_id?: unknown } | null };

/**
 * Parses a body. Returns neither data nor an error if the body is not from the API, but for example from a proxy. Every
 * body of the API has a request id.
 */
function parse(text: string): { data?: object; error?: ErrorDetail } {
  try {
    const { data, error, meta } = (JSON.parse(text) ?? {}) as Envelope;
    if (!String(meta?.request_id).startsWith('req_')) return {};
    const isData = typeof data === 'object' && data !== null && !Array.isArray(data);
    return { ...(isData && { data }), ...(isError(error) && { error }) };
  } catch {
    return {};
  }
}

function isError(error: Partial<ErrorDetail> | null | undefined): error is ErrorDetail {
  const { code, message, reason = null, fields } = error ?? {};
  const texts = [code, message, reason ?? ''].every((text) => typeof text === 'string');
  return texts && /^[a-z_]+$/.test(code ?? '') && Array.isArray(fields) && fields.every(isField);
}

function isField(field: Partial<ErrorDetail['fields'][number]> | null): boolean {
  return typeof field?.path === 'string' && typeof field.message === 'string';
}

function classOf(status: number, reason: string | null): new (message: string) => PartnerError {
  if (status === 401 || reason === 'failed_authentication') return AuthenticationError;
  if (status === 403) return ForbiddenError;
  if (status === 404) return NotFoundError;
  if (status === 409) return ConflictError;
  if (status === 429) return RateLimitError;
  if (status === 400 || status === 405) return InvalidRequestError;
  return status >= 500 ? UnavailableError : PartnerError;
}

function errorOf({ type, status, headers }: Response, error: ErrorDetail | undefined): PartnerError {
  const redirected = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (redirected) {
    const message = 'The API never redirects: check the base URL.';
    return Object.assign(new PartnerError(message), { status, code: 'redirected' as const });
  }
  const seconds = Number(headers.get('Retry-After') ?? 0);
  const details = {
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
  };
  if (!error) {
    const message = `The response is not from the API (status ${status}): check the base URL.`;
    return Object.assign(new UnavailableError(message), { ...details, code: 'unknown' as const });
  }
  const { code, message, reason, fields } = error;
  return Object.assign(new (classOf(status, reason))(message), { ...details, code, reason, fields });
}

/** Maximum number of pages to read. */
const MAX_PAGES = 10_000;

/**
 * Reads a list page by page: `for await (const { slots } of pages(client.listAvailability, query))`. Each page holds
 * the records of one response.
 */
export async function* pages<
  Query extends { cursor?: string | undefined } | undefined,
  Page extends { next_cursor: string | null },
>(list: (query: Query) => Promise<Page>, query: NonNullable<Query>): AsyncGenerator<Page, void, undefined> {
  let cursor = query.cursor;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await list(cursor === undefined ? query : { ...query, cursor });
    yield page;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** The headers of a request, as a `Headers` object or as Node.js provides them (`request.headers`). */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * Verifies a webhook's signature and returns its event. `body` must be the raw body, not a parsed one. During a
 * rotation, pass both the old and the new secret. `now` is in seconds since the Unix epoch.
 * @throws WebhookError if a header is missing or malformed, if the timestamp differs from `now` by more than five
 *   minutes, or if no signature is valid
 * @throws TypeError if a secret is malformed
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now: number = Date.now() / 1000,
): Promise<WebhookEvent> {
  const headerOf = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const [id, sent] = [headerOf('webhook-id'), headerOf('webhook-timestamp')];
  if (!id || !/^\d{1,12}$/.test(sent)) throw new WebhookError('A header is missing or malformed.');
  if (Math.abs(now - Number(sent)) > 300) throw new WebhookError('The timestamp is too old or in the future.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${sent}.${text}`);
  const { subtle } = await webCrypto();
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (!bytes?.length) throw new TypeError('A webhook secret must be whsec_ followed by base64.');
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // A webhook has one signature for each valid secret of the endpoint, at most five. At most ten are checked, so that
    // a forged header with many signatures takes little time.
    for (const one of headerOf('webhook-signature').split(' ').slice(0, 10)) {
      const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : null;
      // `verify` compares in constant time.
      if (signature && (await subtle.verify('HMAC', key, signature, signed))) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookError('No signature is valid.');
}

function fromBase64(text: string) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Returns the Web Crypto API. It is imported if there is no global `crypto`, as in Node.js 18. */
async function webCrypto(): Promise<Crypto> {
  const module: string = 'node:crypto';
  return globalThis.crypto ?? ((await import(module)) as { webcrypto: Crypto }).webcrypto;
}
