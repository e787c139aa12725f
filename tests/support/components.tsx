import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { LanguageProvider } from '@/app/_components/language';
import type { Language } from '@/lib/platform/text/languages';
import { messagesOf } from './messages';

/**
 * Renders components as the Control Center does, with the messages of all pages and without transitions, in place of those of the test before. Returns the
 * user that acts on them.
 */
export function show(children: ReactNode, language: Language = 'en') {
  cleanup();
  const shown = render(children, {
    wrapper: ({ children }) => (
      <MantineProvider env="test">
        <LanguageProvider language={language} hourCycle="h23" messages={messagesOf(language)}>
          {children}
        </LanguageProvider>
      </MantineProvider>
    ),
  });
  return { ...shown, user: userEvent.setup() };
}

type Field<T> = (value: T, set: (value: T) => void) => ReactNode;

function Holder<T>({ initial, field, onValue }: { initial: T; field: Field<T>; onValue: (value: T) => void }) {
  const [value, setValue] = useState(initial);
  onValue(value);
  return field(value, setValue);
}

/** Holds the value of a field, as its form does. `now` returns the value. */
export function showField<T>(initial: T, field: Field<T>) {
  let current = initial;
  const onValue = (value: T) => {
    current = value;
  };
  return { ...show(<Holder {...{ initial, field, onValue }} />), now: () => current };
}
