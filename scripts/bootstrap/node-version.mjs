const NEEDED = [20, 19];

/**
 * Returns an error message if `version` is too old, and null otherwise.
 * @param {string} version in the format of `process.versions.node`
 * @returns {string | null}
 */
export function nodeProblem(version) {
  const parts = version.split('.').map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return null;
  return `This project needs Node ${NEEDED.join('.')} or newer; this is Node ${version}.`;
}
