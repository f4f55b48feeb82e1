import { expect } from 'chai';
import { REGIONS } from '../region.js';
import { landPath, MAP_HEIGHT, MAP_WIDTH, placeOnMap } from './world.js';

const DOTS = [...landPath().matchAll(/M([\d.]+) ([\d.]+)h0/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

describe('The map of the world', () => {
  it('has its dots within its size', () => {
    expect(DOTS.length).to.be.greaterThan(500);
    for (const { x, y } of DOTS) {
      expect(x).to.be.within(0, MAP_WIDTH);
      expect(y).to.be.within(0, MAP_HEIGHT);
    }
  });

  it('has land where each region is, and none in the middle of oceans', () => {
    const distance = (place: { x: number; y: number }) =>
      Math.min(...DOTS.map(({ x, y }) => Math.hypot(x - place.x, y - place.y)));
    for (const { location, coordinates } of REGIONS)
      expect(distance(placeOnMap(coordinates)), location).to.be.at.most(5);
    for (const ocean of [
      [-30, -120],
      [35, -45],
      [-30, 80],
      [30, 170],
    ] as const)
      expect(distance(placeOnMap(ocean)), ocean.join()).to.be.greaterThan(15);
  });
});
