import { expect } from 'chai';
import { SignInThrottle } from './sign-in-throttle.js';

describe('Guessing a password', () => {
  const tries = (throttle: SignInThrottle, count: number, nowMs: number): boolean[] =>
    Array.from({ length: count }, () => throttle.admit('Ann@example.com', nowMs));

  it('has to wait after ten tries in a minute, and only for that email', () => {
    const throttle = new SignInThrottle();
    expect(tries(throttle, 11, 0)).to.deep.equal([...Array<boolean>(10).fill(true), false]);
    expect(throttle.admit('ann@EXAMPLE.com', 59_999)).to.equal(false);
    expect(throttle.admit('ben@example.com', 59_999)).to.equal(true);
    expect(throttle.admit('ann@example.com', 60_000)).to.equal(true);
  });

  it('counts from anew for who knew it in the end', () => {
    const throttle = new SignInThrottle();
    tries(throttle, 9, 0);
    throttle.forget('ann@example.com');
    expect(tries(throttle, 10, 1)).to.not.include(false);
  });
});
