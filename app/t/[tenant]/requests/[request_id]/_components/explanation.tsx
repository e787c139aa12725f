'use client';

import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { Catalog } from '@/lib/control-center/messages/catalog';
import { dayHref } from '../../../bookings/_components/query';
import { previewHref } from '../../../catalog/preview/_components/query';
import { refusedText } from '../../_components/refused-text';
import type { RequestDetail } from '../../_components/types';

/** Explains why a request was refused and how to fix the cause. */
export function Explanation({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests');
  const { invalid_fields: fields, required_scope: scope } = request;
  const help = helpOf(t, request);
  if (!help) return null;
  return (
    <Alert
      variant="default"
      bg="var(--app-surface)"
      icon={<IconBulb aria-hidden />}
      title={t('detail.why')}
      style={{ borderLeft: '3px solid var(--mantine-primary-color-filled)' }}
    >
      <Stack gap="xs">
        <RefusedWrite request={request} />
        <Text size="sm">{help.means}</Text>
        {scope && <Text size="sm">{t.rich('explanation.scope', { scope, code })}</Text>}
        {request.reason === 'ip' && request.address && (
          <Text size="sm">{t.rich('explanation.address', { address: request.address, code })}</Text>
        )}
        {request.reason === 'origin' && (
          <Text size="sm">
            {request.origin
              ? t.rich('explanation.origin', { origin: request.origin, code })
              : t('explanation.noOrigin')}
          </Text>
        )}
        {fields.length > 0 && <InvalidFields fields={fields} />}
        <Text size="sm">{help.fix}</Text>
        <Remedy request={request} />
      </Stack>
    </Alert>
  );
}

const code = (chunks: ReactNode) => <Code>{chunks}</Code>;

/** Returns the explanation in the reader's language, or as the server states it if it has one of a later version. */
function helpOf(t: Translator<'requests'>, { help }: RequestDetail) {
  const key = help?.key as HelpKey | undefined;
  return key && t.has(`help.${key}.means`) ? { means: t(`help.${key}.means`), fix: t(`help.${key}.fix`) } : help;
}

type Help = Catalog['requests']['help'];
type HelpKey = { [Kind in keyof Help]: `${Kind}.${Extract<keyof Help[Kind], string>}` }[keyof Help];

function InvalidFields({ fields }: { fields: string[] }) {
  const t = useTranslations('requests.explanation');
  return (
    <Group gap="xs">
      <Text size="sm">{t('invalidFields', { count: fields.length })}</Text>
      {fields.map((field) => (
        <Code key={field}>{field}</Code>
      ))}
    </Group>
  );
}

function Remedy({ request: { help, application } }: { request: RequestDetail }) {
  const t = useTranslations('requests.explanation');
  if (!help || !application) return null;
  const { id, name } = application;
  const links = {
    policy: { href: `/applications/${id}`, label: t('openPolicy', { name }) },
    application: { href: `/applications/${id}`, label: t('open', { name }) },
    keys: { href: `/applications/${id}/keys`, label: t('openKeys', { name }) },
    catalog: { href: '/catalog', label: t('openCatalog') },
    partner: null,
    operator: null,
    none: null,
  };
  const link = links[help.remedy];
  return (
    link && (
      <TextLink href={link.href} fw={600}>
        {link.label}
      </TextLink>
    )
  );
}

/** The reasons of a refused change that do not depend on the requested start. */
const OF_THE_BOOKING: readonly (string | null)[] = ['booking_not_active', 'outside_cancellation_window', 'same_slot'];

function explanationHref({ code, reason, at, refused, help }: RequestDetail): string | null {
  if (code !== 'booking_unavailable' || OF_THE_BOOKING.includes(reason)) return null;
  // The slot was not taken.
  if (help?.key === 'cases.forced') return null;
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

function RefusedWrite({ request }: { request: RequestDetail }) {
  const { refused, external_reference: order } = request;
  const t = useTranslations('requests');
  const explained = explanationHref(request);
  const text = refusedText(useTranslations('requests.refused'), useFormats(), refused, order);
  if (text === null) return null;
  const { service = null, location = null, date = null } = refused ?? {};
  return (
    <>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <Group gap="md">
        {location && location.name !== null && date && (
          <TextLink href={dayHref({ location: location.id, date })}>{t('explanation.daySchedule')}</TextLink>
        )}
        {explained !== null && <TextLink href={explained}>{t('explanation.explainDay')}</TextLink>}
        {service && service.name !== null && (
          <TextLink href={`/catalog/services/${service.id}`}>
            {t('explanation.viewService', { name: service.name })}
          </TextLink>
        )}
      </Group>
    </>
  );
}
