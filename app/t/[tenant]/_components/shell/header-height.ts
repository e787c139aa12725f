/** The height of the page header in pixels. The header covers the top of the viewport. */
export const HEADER_HEIGHT = 56;
