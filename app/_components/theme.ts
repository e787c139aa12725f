import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: a calm green that carries white text at shade 7 and reads on dark at shade 4. */
const accent: MantineColorsTuple = [
  '#e8f8f1',
  '#d3efe2',
  '#a6dec5',
  '#76cda6',
  '#4fbf8c',
  '#37b67c',
  '#148254',
  '#0b6e4f',
  '#06573e',
  '#023f2c',
];

/** Greys of the dark scheme, a little cool, from text (0) to behind everything (9). */
const dark: MantineColorsTuple = [
  '#e4e7ea',
  '#c3c9d0',
  '#a3abb5',
  '#7b848e',
  '#41484f',
  '#31373d',
  '#23272c',
  '#1a1d20',
  '#0c0e0f',
  '#070809',
];

/** The look of the Control Center. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // A dialog's header is not the page's, and its cross needs a name.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    ModalTitle: { defaultProps: { fw: 650, fz: 'lg' } },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    // On narrow screens tables are laid out as sheets, and then some browsers forget that they are tables.
    Table: { defaultProps: { role: 'table' } },
    TableThead: { defaultProps: { role: 'rowgroup' } },
    TableTbody: { defaultProps: { role: 'rowgroup' } },
    TableTr: { defaultProps: { role: 'row' } },
    TableTh: { defaultProps: { role: 'columnheader' } },
    TableTd: { defaultProps: { role: 'cell' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    DrawerCloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
