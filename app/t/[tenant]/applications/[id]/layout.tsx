import type { ReactNode } from 'react';
import { currentMember } from '@/app/_session';
import { ApplicationFrame } from './_components/application-frame';

type Props = { params: Promise<{ id: string }>; children: ReactNode };

export default async function ApplicationLayout({ params, children }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return (
    <ApplicationFrame id={id} canEdit={member?.role === 'OWNER'}>
      {children}
    </ApplicationFrame>
  );
}
