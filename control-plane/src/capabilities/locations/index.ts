export { locationSection } from './document-section.js';
export { LOCATION_ACCESS, locationRoutes } from './location-routes.js';
export { lockLocation, requireLocation } from './locations.js';
export { placeOfTest, rangeFaults } from './place-ranges.js';
export { type LocationPlace, placeCodeOf, placesOfWorkspace } from './place-store.js';
export { locationNamer } from './name-codes.js';
