'use client';

import type { ModalProps } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useState } from 'react';

/** Loads the script for dialogs, which no page includes. */
export const loadDialog = () => import('./modal');

const LateModal = dynamic(() => loadDialog().then((module) => module.LateModal), { ssr: false });

/** A Mantine `Modal` whose script is loaded when it first opens. */
export function Dialog(props: ModalProps) {
  const [isWanted, setWanted] = useState(props.opened);
  if (props.opened && !isWanted) setWanted(true);
  return isWanted ? <LateModal {...props} /> : null;
}
