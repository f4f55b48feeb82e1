import { expect } from 'chai';
import type { Examples } from '../example.js';

/** Of the stream only the beginning is read, after which the client hangs up (`call-api.ts`). */
export const eventExamples: Examples = {
  streamEvents: {
    check: ({ body, headers }) => {
      expect(body).to.match(/^retry: \d+\n\n/);
      expect(headers.get('cache-control')).to.equal('no-store, no-transform');
      expect(headers.get('x-accel-buffering')).to.equal('no');
    },
  },
};
