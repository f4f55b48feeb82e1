import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readContainerFile, ROOT, valuesOf } from '../../support/container-file.js';

interface Service {
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  build?: { context: string; dockerfile: string };
}

for (const program of ['control-plane', 'agent']) {
  describe(`the container file of the ${program}`, () => {
    const path = `deploy/container/${program}.Dockerfile`;
    const stages = readContainerFile(path);
    const image = stages.at(-1)!;
    const everything = stages.flat();

    it('runs the program, and nothing else, without privileges', () => {
      expect(valuesOf(image, 'USER')).to.deep.equal(['node']);
      const names = image.map(({ name }) => name);
      expect(names.lastIndexOf('RUN'), 'no RUN after USER').to.be.below(names.indexOf('USER'));
      for (const name of ['ENTRYPOINT', 'HEALTHCHECK']) {
        const [value] = valuesOf(image, name);
        // Without a shell, which would not pass signals on.
        expect(JSON.parse(/\[.*\]$/.exec(value!)![0])).to.have.property('0', 'node');
      }
      expect(valuesOf(image, 'HEALTHCHECK')[0]).to.match(/^--interval=\d+s --timeout=\d+s --start-period=\d+s CMD /);
    });

    it('needs no network beyond the registries of images and of npm', () => {
      expect(valuesOf(everything, 'ADD')).to.deep.equal([]);
      for (const command of valuesOf(everything, 'RUN'))
        expect(command).to.not.match(/\b(?:apt|apt-get|apk|curl|wget|git)\b/);
      for (const copied of valuesOf(image, 'COPY')) expect(copied).to.match(/^--from=build \/src\//);
    });

    it('has no step for one architecture, and builds on that of the builder', () => {
      const [build, run] = stages.map((stage) => valuesOf(stage, 'FROM')[0]!) as [string, string];
      expect(run).to.match(/^node:26-[a-z]+-slim$/);
      expect(build).to.equal(`--platform=$BUILDPLATFORM ${run} AS build`);
      for (const { value } of everything) expect(value).to.not.match(/\b(?:x64|x86_64|amd64|arm64|aarch64)\b/);
    });

    it('labels the image with version, commit, source and licence', () => {
      const [labels] = valuesOf(image, 'LABEL');
      const { license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { license: string };
      const prefix = 'org.opencontainers.image';
      for (const label of ['version=$VERSION', 'revision=$SOURCE_COMMIT', 'source=$SOURCE_URL'])
        expect(labels).to.include(`${prefix}.${label} `);
      // What npm calls UNLICENSED is no licence of SPDX.
      const licence = license === 'UNLICENSED' ? `LicenseRef-${license}` : license;
      expect(labels?.endsWith(`${prefix}.licenses=${licence}`)).to.equal(true);
      expect(valuesOf(image, 'ARG')).to.include.members(['VERSION', 'SOURCE_COMMIT', 'SOURCE_URL']);
      expect(valuesOf(stages[0]!, 'ARG'), 'the programs report it').to.include('SOURCE_COMMIT');
    });

    it('is run by compose.yaml on a read-only file system without capabilities', () => {
      const composition = readFileSync(join(ROOT, 'deploy/container/compose.yaml'), 'utf8');
      const service = (parse(composition) as { services: Record<string, Service> }).services[program]!;
      expect(service).to.deep.include({
        build: { context: '../..', dockerfile: path },
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    });
  });
}
