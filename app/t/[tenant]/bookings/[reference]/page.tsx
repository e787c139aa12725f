import { currentMember } from '@/app/_session';
import { Prefetch } from '../../_components/prefetch';
import { mayChangeBookings, mayViewPartners } from '../../_components/roles';
import { BookingView } from './_components/booking-view';

export { RECORD_METADATA as metadata } from '../../_components/shell/record-metadata';

type Props = { params: Promise<{ reference: string }> };

export default async function BookingPage({ params }: Props) {
  const [member, { reference: segment }] = await Promise.all([currentMember(), params]);
  const reference = segment.slice(0, 200);
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.bookings.get.queryOptions({ reference }))]}>
      <BookingView
        reference={reference}
        canEdit={mayChangeBookings(member?.role)}
        viewsPartners={mayViewPartners(member?.role)}
      />
    </Prefetch>
  );
}
