// The entry point of every npm command. It uses only old syntax, because it may run on an old Node. It imports all
// other modules only after the version check.
import { nodeProblem } from './bootstrap/node-version.mjs';

const problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import('./bootstrap/main.mjs').then(
    ({ launch }) => launch(process.argv[2] ?? '', process.argv.slice(3)),
    (error) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
