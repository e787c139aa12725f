const NEEDED = [20, 19];
/** The newest release line that `npm run test:node` is run with. */
const NEWEST = 26;

/**
 * Returns an error message if `version` is too old or newer than the tested versions, and null otherwise.
 * @param {string} version in the format of `process.versions.node`
 * @returns {string | null}
 */
export function nodeProblem(version) {
  const parts = version.split('.').map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
  if (!isOld && major <= NEWEST) return null;
  return `This project needs Node ${NEEDED.join('.')} to ${NEWEST}; this is Node ${version}.`;
}
