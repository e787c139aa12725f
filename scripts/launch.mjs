// The entry behind every npm command. Nothing is installed yet when it runs, and Node may be too old for the rest,
// so this file holds to plain syntax and loads what needs more only after the version is known to do.
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
