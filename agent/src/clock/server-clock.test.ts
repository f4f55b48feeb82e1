import { expect } from 'chai';
import { ServerClock } from './server-clock.js';

const WALL = 1_763_000_000_000;

function machine(wallMs = WALL) {
  const time = { wall: wallMs, mono: 5_000, boot: 90_000 };
  const clock = new ServerClock({ wallMs: () => time.wall, monotonicMs: () => time.mono, bootMs: () => time.boot });
  const pass = (ms: number) => {
    time.wall += ms;
    time.mono += ms;
    time.boot += ms;
    clock.refresh();
  };
  return { time, clock, pass };
}

describe('the agent’s clock', () => {
  it('follows the control plane when the machine’s clock is off by a minute', () => {
    const { clock, pass } = machine(WALL - 60_000);
    clock.observe(WALL);
    expect(clock.now()).to.equal(WALL);
    expect(clock.offsetMs).to.equal(60_000);
    pass(10_000);
    expect(clock.now()).to.equal(WALL + 10_000);
  });

  it('uses the message with the smallest delay', () => {
    const { clock, pass } = machine(WALL - 60_000);
    clock.observe(WALL - 900);
    pass(1_000);
    clock.observe(WALL + 1_000 - 5);
    pass(1_000);
    clock.observe(WALL + 2_000 - 3_000);
    expect(clock.now()).to.equal(WALL + 2_000 - 5);
  });

  it('keeps its time if the difference can be a delay of the network', () => {
    const { clock } = machine();
    clock.observe(WALL - 200);
    expect(clock.now()).to.equal(WALL);
  });

  it('ignores a step of the machine’s clock after the control plane has sent its time', () => {
    const { clock, time, pass } = machine();
    clock.observe(WALL);
    time.wall += 3_600_000;
    pass(2_000);
    expect(clock.now()).to.equal(WALL + 2_000);
  });

  it('follows a step of the machine’s clock before the control plane has sent its time', () => {
    const { clock, time, pass } = machine(0);
    time.wall = WALL;
    pass(2_000);
    expect(clock.now()).to.equal(WALL + 2_000);
  });

  it('includes the time of a suspension', () => {
    const { clock, time, pass } = machine();
    clock.observe(WALL);
    time.wall += 600_000;
    time.boot += 600_000;
    pass(2_000);
    expect(clock.now()).to.equal(WALL + 602_000);
  });
});
