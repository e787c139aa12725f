// Preloaded into every process of a test run. Most live for seconds, in which optimizing the WebAssembly code of Prisma
// takes more processor time than it saves. V8 optimizes a function after it has executed this many bytes.
require('node:v8').setFlagsFromString('--wasm-tiering-budget=100000000');
