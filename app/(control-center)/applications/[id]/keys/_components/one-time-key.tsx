'use client';

import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail, IssuedKey } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { Secret, ShownOnce } from '../../../_components/shown-once';

type Props = { issued: IssuedKey; applicationId: string; onClose: () => void };

/** A new key, the only time it is shown, with what a developer pastes first. */
export function OneTimeKey({ issued, applicationId, onClose }: Props) {
  const trpc = useTRPC();
  const { data: application } = useQuery(trpc.applications.get.queryOptions({ application_id: applicationId }));
  return (
    <ShownOnce
      what="key"
      warning="This is the only time this key is shown. Put it into your partner’s secret store, never into browser code."
      onClose={onClose}
    >
      <Secret label={`Key “${issued.name}”`} text={issued.key} copy="Copy the key" first />
      <Secret label="Line for an .env file" text={`PARTNER_API_KEY=${issued.key}`} copy="Copy the .env line" />
      <Secret label="First request" text={curlOf(issued.key, application)} copy="Copy the curl command">
        {curlNote(application)}
      </Secret>
    </ShownOnce>
  );
}

function curlOf(key: string, application: ApplicationDetail | undefined): string {
  const lines = [`curl ${window.location.origin}/api/partner/v1/catalog`, `-H 'Authorization: Bearer ${key}'`];
  const origin = application?.origins[0];
  if (origin) lines.push(`-H 'Origin: ${origin}'`);
  return lines.join(' \\\n  ');
}

function curlNote(application: ApplicationDetail | undefined): string | null {
  if (!application) return null;
  if (application.suspended_at) return 'The application is suspended: until you resume it, this is refused (403).';
  if (!application.scopes.includes('catalog.read')) {
    return 'This application may not read the catalog: 403 insufficient_scope shows that the key is known.';
  }
  return application.networks.length > 0 ? 'It is let in from the allowed networks only.' : null;
}
