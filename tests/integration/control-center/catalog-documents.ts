import { db } from '@/lib/platform/db';
import { daily } from '@/tests/support/schedules';
import type { Member } from './applications-people';
import { done, LOCATION, SERVICE, SPECIALIST } from './catalog-records';

type Line = { list: string; action: string; id: string; name: string; fields: string[]; absent: boolean };
type Plan = {
  basis: string;
  counts: Record<string, Record<string, number>>;
  lines: Line[];
  outside: { count: number; first: { reference: string; reason: string }[] };
};
type Check = { issues: { path: string; message: string }[]; issue_count: number; plan: Plan | null };
type Doc = Record<'locations' | 'services' | 'specialists', Record<string, unknown>[]> & { format: string };

export const exported = (member: Member) => done<Doc>(member.query('catalog.transfer.export'));
export const check = (member: Member, document: unknown) =>
  done<Check>(member.mutate('catalog.transfer.check', { text: textOf(document) }));
export const textOf = (document: unknown) => (typeof document === 'string' ? document : JSON.stringify(document));

export async function apply(member: Member, document: unknown): Promise<Plan> {
  const { plan, issues } = await check(member, document);
  if (!plan) throw new Error(`refused: ${JSON.stringify(issues)}`);
  return done<Plan>(member.mutate('catalog.transfer.import', { text: textOf(document), basis: plan.basis }));
}

export async function everything(tenantId: string) {
  const where = { tenantId };
  return {
    services: await db().service.findMany({ where, orderBy: { id: 'asc' } }),
    locations: await db().location.findMany({
      where,
      orderBy: { id: 'asc' },
      include: { hours: true, exceptions: true },
    }),
    specialists: await db().specialist.findMany({
      where,
      orderBy: { id: 'asc' },
      include: { breaks: true, timeOff: true },
    }),
    offerings: await db().offering.findMany({ where, orderBy: [{ specialistId: 'asc' }, { serviceId: 'asc' }] }),
    audit: await db().auditLog.count({ where }),
  };
}

/** A catalog document with ids that a person has chosen, such as `kim`. */
export const BUSINESS = {
  format: 'partner-booking-catalog/1',
  locations: [{ id: 'harbour', published: true, ...LOCATION, hours: daily({ opens: '09:00', closes: '17:00' }) }],
  services: [
    { id: 'deep-massage', published: true, ...SERVICE },
    { id: 'draft', ...SERVICE },
  ],
  specialists: [
    {
      id: 'kim',
      published: true,
      ...SPECIALIST,
      workplaces: [
        {
          location_id: 'harbour',
          service_ids: ['deep-massage'],
          hours: daily({ opens: '10:00', closes: '12:00' }),
        },
      ],
    },
  ],
};
