import { expect } from 'chai';
import { describeStep } from './describe-step.js';

describe('A step of a check in words', () => {
  const fine = { wasAvailable: true, statusCode: 200, responseTime: 33.4, failureReason: null };

  it('has its status and its time, and the reason of a failure', () => {
    expect(describeStep(fine)).to.equal('status 200 in 33 ms');
    const failed = { ...fine, wasAvailable: false, statusCode: 503, failureReason: 'It answered with status 503.' };
    expect(describeStep(failed)).to.equal('failed (status 503 in 33 ms): It answered with status 503.');
  });

  it('has no time where it ran after a failure, and nothing else where it did not run', () => {
    expect(describeStep({ ...fine, responseTime: null })).to.equal('status 200');
    const unsent = {
      wasAvailable: false,
      statusCode: null,
      responseTime: null,
      failureReason: 'A variable has no value.',
    };
    expect(describeStep(unsent)).to.equal('failed: A variable has no value.');
    const nothing = { wasAvailable: null, statusCode: null, responseTime: null, failureReason: null };
    expect(describeStep(nothing)).to.equal('did not run');
    expect(describeStep({ ...nothing, failureReason: 'The agent stopped.' })).to.equal(
      'not checked: The agent stopped.',
    );
  });
});
