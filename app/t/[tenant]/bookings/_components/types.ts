import type { Inputs, Outputs } from '../../_components/api-types';

export type BookingSummary = Outputs['bookings']['list']['bookings'][number];
/**
 * The bookings that a search by phone number or name found. A search by name also returns names, and `understood` is then
 * the name that was entered.
 */
export type FoundBookings = Outputs['bookings']['find_by_phone'] &
  Partial<Pick<Outputs['bookings']['find_by_name'], 'names'>>;
/** A phone number to search by: `phone` in international format, or `national` without a country code. */
export type SearchedPhone = Inputs['bookings']['find_by_phone'];
/** A phone number or a name to search by. */
export type Searched = SearchedPhone & { name?: string };
/** The slots to which a booking can be moved, on one or several days. */
export type MoveSlots = Outputs['bookings']['slots'];
export type MoveSlot = MoveSlots['slots'][number];
/** What can be booked at a location. */
export type NewChoices = Outputs['bookings']['new_choices'];
/** What an import of bookings would do, or what prevents it. */
export type BookingImportCheck = Outputs['bookings']['transfer']['check'];
/** A rule of the catalog that the business may break after a confirmation. */
export type BrokenRule = Outputs['bookings']['check_new']['broken'][number];
/** The filters' options. */
export type Choices = Outputs['bookings']['choices'];
/** A booking with all of its versions. */
export type BookingDetail = Outputs['bookings']['get'];
/** The bookings of one day at one location. */
export type BookingDay = Outputs['bookings']['day'];
/** The bookings of one week at one location. */
export type BookingWeek = Outputs['bookings']['week'];
/** What rows show about a booking besides its time (see `BookingTerms`). */
export type BookingTerms = Pick<BookingSummary, 'price' | 'change_deadline' | 'has_note'>;
export type BookingStatus = BookingSummary['status'];
/** A change of a booking's status that a member can make. */
export type OwnerAction = BookingDetail['actions'][number];

/** A reason why the catalog no longer allows a booking. Such a booking is outside the catalog. */
export type OutsideReason = NonNullable<BookingDetail['outside']>;
