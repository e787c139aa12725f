import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { CLIENT_FILE } from '@/scripts/client/source';

test('the published client compiles alone, in the strictest mode, without the types of Node.js', () => {
  const program = ts.createProgram([fileURLToPath(CLIENT_FILE)], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitReturns: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    // Node.js only strips types. It cannot run TypeScript syntax that is not erasable, such as enums.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
    noEmit: true,
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([]);
  const files = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('node_modules/typescript/lib'));
  expect(files.map(({ fileName }) => fileName)).toEqual([fileURLToPath(CLIENT_FILE)]);
});
