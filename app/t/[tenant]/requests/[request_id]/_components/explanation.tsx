'use client';

import { Alert, Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { Link } from '@/app/_components/link';
import { dayHref } from '../../../bookings/_components/query';
import { previewHref } from '../../../catalog/preview/_components/query';
import { refusedText } from '../../_components/refused-text';
import type { RequestDetail } from '../../_components/types';

/** Explains why a request was refused and how to fix the cause. */
export function Explanation({ request }: { request: RequestDetail }) {
  const { help, invalid_fields: fields, required_scope: scope } = request;
  if (!help) return null;
  return (
    <Alert
      variant="default"
      bg="var(--app-surface)"
      icon={<IconBulb aria-hidden />}
      title="Why this request was refused and how to fix it"
      style={{ borderLeft: '3px solid var(--mantine-primary-color-filled)' }}
    >
      <Stack gap="xs">
        <RefusedWrite request={request} />
        <Text size="sm">{help.means}</Text>
        {scope && (
          <Text size="sm">
            This route requires the scope <Code>{scope}</Code>.
          </Text>
        )}
        {request.reason === 'ip' && request.address && (
          <Text size="sm">
            Source IP address: <Code>{request.address}</Code>.
          </Text>
        )}
        {request.reason === 'origin' && (
          <Text size="sm">
            {request.origin ? (
              <>
                Origin header: <Code>{request.origin}</Code>.
              </>
            ) : (
              'The request had no Origin header.'
            )}
          </Text>
        )}
        {fields.length > 0 && <InvalidFields fields={fields} />}
        <Text size="sm">{help.fix}</Text>
        <Remedy request={request} />
      </Stack>
    </Alert>
  );
}

function InvalidFields({ fields }: { fields: string[] }) {
  return (
    <Group gap="xs">
      <Text size="sm">{fields.length === 1 ? 'Invalid field:' : 'Invalid fields:'}</Text>
      {fields.map((field) => (
        <Code key={field}>{field}</Code>
      ))}
    </Group>
  );
}

function Remedy({ request: { help, application } }: { request: RequestDetail }) {
  if (!help || !application) return null;
  const { id, name } = application;
  const links = {
    policy: { href: `/applications/${id}`, label: `Open the policy for ${name}` },
    application: { href: `/applications/${id}`, label: `Open ${name}` },
    keys: { href: `/applications/${id}/keys`, label: `Open the keys for ${name}` },
    catalog: { href: '/catalog', label: 'Open the catalog' },
    partner: null,
    operator: null,
    none: null,
  };
  const link = links[help.remedy];
  return (
    link && (
      <Anchor component={Link} href={link.href} size="sm" fw={600}>
        {link.label}
      </Anchor>
    )
  );
}

/** The reasons of a refused change that do not depend on the requested start. */
const OF_THE_BOOKING: readonly (string | null)[] = ['booking_not_active', 'outside_cancellation_window', 'same_slot'];

/** Returns the URL of the explanation of a refused start as of the request, or null if the request has none. */
function explanationHref({ code, reason, at, refused }: RequestDetail): string | null {
  if (code !== 'booking_unavailable' || OF_THE_BOOKING.includes(reason)) return null;
  const { service = null, location = null, specialist = null, date = null, start_time: time = null } = refused ?? {};
  if (!service || !location || date === null || service.name === null || location.name === null) return null;
  return previewHref({
    service: service.id,
    location: location.id,
    date,
    at,
    time,
    specialist: specialist?.id ?? null,
  });
}

/** What a refused booking write requested, with links to the requested day in the calendar and to the service. */
function RefusedWrite({ request }: { request: RequestDetail }) {
  const { refused, external_reference: order } = request;
  const explained = explanationHref(request);
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
        {explained !== null && (
          <Anchor component={Link} href={explained} size="sm">
            Explain this day as of the request
          </Anchor>
        )}
        {service && service.name !== null && (
          <Anchor component={Link} href={`/catalog/services/${service.id}`} size="sm">
            View {service.name}
          </Anchor>
        )}
      </Group>
    </>
  );
}
