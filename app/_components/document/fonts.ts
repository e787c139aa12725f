import localFont from 'next/font/local';

// The font files come from npm packages, so the browser contacts no other host. Next.js requires that the values below
// are literals.
//
// A browser loads a `latin-ext` file only if the page has a character in the `unicode-range` of the file. Characters
// outside all ranges are shown in a system font. The ranges of Inter omit some currency signs, such as ₹, because one
// such sign on a page would load the whole `latin-ext` file (86 kB).

const inter = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  style: 'normal',
  display: 'swap',
  // The fallback font gets the metrics of Inter, so that the layout does not shift when Inter has loaded.
  adjustFontFallback: 'Arial',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
});

const interExtended = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  weight: '100 900',
  style: 'normal',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});

// The fallback font needs no adjustment: monospaced system fonts are almost as wide as this font.
const mono = localFont({
  src: '../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  style: 'normal',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
});

const monoExtended = localFont({
  src: '../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-ext-wght-normal.woff2',
  weight: '100 900',
  style: 'normal',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});

// `interExtended` must be listed between these two fonts. The fallback font has no `unicode-range`, so it is used for
// every character that the fonts before it lack.
const [face, fallback] = inter.style.fontFamily.split(', ');

/** The font for text: Inter, then a system font. */
export const TEXT_FONT = `${face}, ${interExtended.style.fontFamily}, ${fallback}, system-ui, sans-serif`;

/** The font for identifiers and code: Geist Mono, then a monospaced system font. */
export const CODE_FONT = `${mono.style.fontFamily}, ${monoExtended.style.fontFamily}, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace`;
