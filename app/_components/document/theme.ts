import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { CODE_FONT, TEXT_FONT } from './fonts';

/**
 * The shades of the accent color. White text has enough contrast on shade 7. Text in shade 4 has enough contrast on
 * dark surfaces.
 */
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

/** The grays of the dark color scheme, from the text color (0) to the darkest background (9). */
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

/** Returns the theme, with the names of the buttons that have only an icon. */
export const themeWith = (names: { close: string; dismiss: string }) =>
  createTheme({
    primaryColor: 'accent',
    primaryShade: { light: 7, dark: 6 },
    colors: { accent, dark },
    autoContrast: true,
    defaultRadius: 'md',
    fontFamily: TEXT_FONT,
    fontFamilyMonospace: CODE_FONT,
    headings: { fontWeight: '650' },
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      // Mantine renders a dialog header as `<header>`, which screen readers would announce as a banner landmark. The
      // close button is only an icon, so it needs an accessible name.
      ModalHeader: { defaultProps: { role: 'presentation' } },
      ModalTitle: { defaultProps: { fw: 650, fz: 'lg' } },
      ModalCloseButton: { defaultProps: { 'aria-label': names.close } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': names.dismiss } } },
      DrawerTitle: { defaultProps: { fw: 650, fz: 'lg' } },
      DrawerHeader: { defaultProps: { role: 'presentation' } },
      DrawerCloseButton: { defaultProps: { 'aria-label': names.close } },
    },
  });
