'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A Mantine `Modal` that opens only after it is mounted. A modal that is already open when it is mounted does not store
 * which element had the focus, so it cannot return the focus when it closes.
 */
export function LateModal(props: ModalProps) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return <Modal {...props} opened={props.opened && isMounted} />;
}
