import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { dayHref } from '../../../bookings/_components/query';
import { refusedText } from '../../_components/refused-text';
import type { RequestDetail } from '../../_components/types';

/** What a refused booking write requested, with links to the requested day in the calendar and to the service. */
export function RefusedWrite({ request: { refused, external_reference: order } }: { request: RequestDetail }) {
  const text = refusedText(refused, order);
  if (text === null) return null;
  const { service = null, location = null, date = null } = refused ?? {};
  return (
    <>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <Group gap="md">
        {location && location.name !== null && date && (
          <Anchor component={Link} href={dayHref({ location: location.id, date })} size="sm">
            View the day schedule
          </Anchor>
        )}
        {service && service.name !== null && (
          <Anchor component={Link} href={`/catalog/services/${service.id}`} size="sm">
            View service
          </Anchor>
        )}
      </Group>
    </>
  );
}
