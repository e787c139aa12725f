'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { regainFocus } from './focus';

/** `guarded`: only a button in the dialog closes it, for example because it shows a secret that cannot be shown again. */
type Props = ModalProps & { guarded?: boolean };

/** A Mantine `Modal` that never leaves the page without focus. */
export function Dialog({ children, guarded = false, ...props }: Props) {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (props.opened) opener.current = document.activeElement;
  }, [props.opened]);
  return (
    // A dialog that stays open after a click on its overlay would otherwise lose the focus.
    <Modal
      overlayProps={{ onMouseDown: (event) => event.preventDefault() }}
      {...(guarded && { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false })}
      {...props}
    >
      {children}
      <RegainFocus opener={opener} />
    </Modal>
  );
}

/**
 * Mantine returns the focus of a dialog that was closed when it was mounted. This covers the other dialogs, and an
 * opener that is gone or disabled.
 */
function RegainFocus({ opener }: { opener: { current: Element | null } }) {
  // Mantine waits 10 ms, and then returns the focus only if no other element has it.
  useEffect(() => () => void setTimeout(() => regainFocus(opener.current), 20), [opener]);
  return null;
}
