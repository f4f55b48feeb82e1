// Loaded into dependency-cruiser, which has its parser read every file without JSX: *.tsx is parsed with it.
const swc = require('@swc/core');

const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });
