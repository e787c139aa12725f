/** Returns the path of the sign-in page. After the sign-in, that page opens the path `target`. */
export function signInPath(target: string): string {
  return target === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(target)}`;
}
