'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A Mantine `Modal` that is closed when it is mounted, and opens afterward. If it were open when it is mounted, Mantine
 * would not store which element had the focus.
 */
export function LateModal(props: ModalProps) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return <Modal {...props} opened={props.opened && isMounted} />;
}
