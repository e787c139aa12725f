// The entry point of every npm command. It may run on an old version of Node and before the packages are installed, so
// it uses only old syntax. It imports the other modules only after the version check has passed.
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
