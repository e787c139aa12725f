'use client';

import type { ModalProps } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useState } from 'react';

/** Loads the script for dialogs, which is not part of the initial script of any page. */
export const loadDialog = () => import('./modal');

const LateModal = dynamic(() => loadDialog().then((module) => module.LateModal), { ssr: false });

/** Returns whether a dialog is open now or was open before. Only then is its script needed. */
export function useWanted(opened: boolean): boolean {
  const [isWanted, setWanted] = useState(opened);
  if (opened && !isWanted) setWanted(true);
  return isWanted;
}

/** A Mantine `Modal` whose script is loaded when it first opens. */
export function Dialog(props: ModalProps) {
  return useWanted(props.opened) ? <LateModal {...props} /> : null;
}
