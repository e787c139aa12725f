/** The height of the header of every page in pixels. The header covers the top of the viewport. */
export const HEADER_HEIGHT = 56;
