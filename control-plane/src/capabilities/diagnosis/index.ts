export { diagnosisRoutes } from './diagnosis-routes.js';
export { diagnosisTools } from './diagnosis-tools.js';
export type { DiagnosisDeps } from './read-diagnosis.js';
