import type { Cause } from '@watchpost/control-plane/capabilities/diagnosis/decide-cause';
import type { Target, TargetOptions } from '../../../support/target-server.js';
import type { Scene, TestBed, Watched } from '../test-bed.js';

/** Something that breaks in a known way. */
export interface Case {
  /** The name of what happened, as a person found it later. */
  name: string;
  cause: Cause;
  /** Makes monitors of something that works, and breaks it. */
  run(scene: Scene, bed: TestBed): Promise<Broken>;
}

/** The monitor whose incident is diagnosed, and the one where the fault is, if that is another. */
export interface Broken {
  monitor: Watched;
  root?: Watched;
}

/** A server that takes the place of another, at its address. */
export async function replace(scene: Scene, target: Target, options: TargetOptions): Promise<Target> {
  await target.close();
  return scene.serve({ host: target.host, port: target.port, ...options });
}

/** A server with a name of the scene, and the URL of that. */
export async function serveSite(scene: Scene, options: TargetOptions): Promise<{ target: Target; url: string }> {
  scene.resolve(scene.host, ['127.0.0.1']);
  const target = await scene.serve(options);
  return { target, url: `${options.tls ? 'https' : 'http'}://${scene.host}:${target.port}/` };
}
