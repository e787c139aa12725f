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

/** The look of the Control Center. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent },
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
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    DrawerCloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
