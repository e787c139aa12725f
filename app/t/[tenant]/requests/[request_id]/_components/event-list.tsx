'use client';

import { Anchor, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { Id } from '../../../_components/id';
import { Time } from '../../../_components/time/time';
import { deliveryHref } from '../../../applications/[id]/webhook/_components/query';
import { DeliveryStateBadge } from '../../../applications/[id]/webhook/_components/state';
import styles from '../../_components/requests.module.css';
import type { RequestDetail } from '../../_components/types';

type Event = RequestDetail['events'][number];
type Props = { events: Event[]; applicationId: string | null };

/** The events that a request caused, each with the status of its webhook delivery, if it has one. */
export function EventList({ events, applicationId }: Props) {
  const t = useTranslations('requests.events');
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map(({ id, type, version, at, delivery }) => (
        <li key={id}>
          <Text size="sm">
            <span className={styles.mono}>{type}</span>
            {version !== null && ` · ${t('version', { version: `${version}` })}`}
          </Text>
          <Group gap="xs">
            <Id value={id} what={t('eventId')} />
            <Text size="sm" c="dimmed">
              <Time value={at} />
            </Text>
          </Group>
          <Delivery type={type} delivery={delivery} applicationId={applicationId} />
        </li>
      ))}
    </Stack>
  );
}

function Delivery({ type, delivery, applicationId }: Pick<Event, 'type' | 'delivery'> & Omit<Props, 'events'>) {
  const t = useTranslations('requests.events');
  if (!delivery || applicationId === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('noDelivery')}
      </Text>
    );
  }
  return (
    <Group gap="xs">
      <DeliveryStateBadge state={delivery.state} />
      <Text size="sm" c="dimmed">
        {t('attempts', { attempts: `${delivery.attempts}`, max: `${delivery.max_attempts}` })}
      </Text>
      <Anchor component={Link} href={deliveryHref(applicationId, delivery.id)} size="sm">
        {t.rich('viewDelivery', { type, hidden: (chunks) => <VisuallyHidden>{chunks}</VisuallyHidden> })}
      </Anchor>
    </Group>
  );
}
