// The entry of every npm command. It may run before the packages are installed and on an old Node, so it uses plain
// syntax and imports the rest only after the version check.
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
