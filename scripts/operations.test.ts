import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readOperatorSettings } from '@/lib/infra/env';
import { variablesSchema } from '@/lib/infra/env-schema';

const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations.md'), 'utf8');
const table = document.split('## Settings')[1]?.split('\n## ')[0] ?? '';
const rows = [...table.matchAll(/^\| `([A-Z].*)\|$/gm)].map(([row]) => row.replaceAll(/ +\|/g, ' |')).sort();

const documentation = z.object({ description: z.string(), defaultText: z.string().optional() });
const operator = readOperatorSettings({});
const constants: Readonly<Record<string, unknown>> = variablesSchema.encode(variablesSchema.parse({}));
const defaults: Readonly<Record<string, unknown>> = {
  ...operator.environment,
  ...constants,
  DATA_DIR: `./${relative('.', operator.dataDir)}`,
};

/** Each variable with its documentation in the schema. */
const settings = Object.entries(variablesSchema.shape).map(([name, schema]) => ({
  name,
  ...documentation.parse(schema.meta() ?? {}),
}));

describe('the settings table of docs/operations.md', () => {
  it('has the names, defaults and meanings of the schema', () => {
    const expected = settings.map(({ name, description, defaultText }) => {
      const value = z.coerce.string().parse(defaults[name] ?? '');
      return `| \`${name}\` | ${defaultText ?? (value === '' ? 'none' : `\`${value}\``)} | ${description} |`;
    });
    expect(rows).toEqual(expected.sort());
  });

  it('describes a default in words only if it depends on the machine or on other settings', () => {
    const described = settings.filter(
      ({ name, defaultText }) => defaultText !== undefined && constants[name] !== undefined,
    );
    expect(described.map(({ name }) => name)).toEqual([
      'TRANSCODE_CORES',
      'LIVE_PROCESSES',
      'ORIGIN_PROCESSES',
      'WEB_PROCESSES',
    ]);
  });

  it('describes how the public URLs are derived', () => {
    expect(operator.uploadUrl).toBe(operator.cdnUrl);
    expect(operator.baseUrl).toBe(`http://localhost:${operator.port}`);
    expect(operator.cdnUrl).toBe(`http://localhost:${operator.mediaPort}`);
    expect(operator.rtmpUrl).toBe(`rtmp://localhost:${operator.rtmpPort}/live`);
  });
});
