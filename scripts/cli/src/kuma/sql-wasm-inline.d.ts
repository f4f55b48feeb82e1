/** The build of sql.js that contains its WebAssembly, so that the command line stays one file. */
declare module 'sql.js/dist/sql-wasm-inline.js' {
  export { default } from 'sql.js';
}
