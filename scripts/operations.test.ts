import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOperatorSettings } from '@/lib/infra/env';
import { operatorSchema } from '@/lib/infra/env-schema';

const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations.md'), 'utf8');
const table = document.split('## Settings')[1]?.split('\n## ')[0] ?? '';
const rows = new Map(
  [...table.matchAll(/^\| `([A-Z][A-Z\d_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, name, byDefault]) => [
    name ?? '',
    byDefault ?? '',
  ]),
);

const operator = readOperatorSettings({});
const texts = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
const acme = readOperatorSettings({ ACME_EMAIL: 'ada@example.com', BASE_URL: 'https://x.example' });
const environment = { ...texts(operatorSchema.parse({})), ...acme.environment, ...operator.environment };
const names = Object.keys(operatorSchema.shape).filter((name) => name !== 'PROCESS_SLOT');

describe('the settings table of docs/operations.md', () => {
  it('lists exactly the existing settings', () => {
    expect([...rows.keys()].sort()).toEqual(names.sort());
  });

  it('lists the defaults of the code', () => {
    const literal = [...rows].filter(
      ([, byDefault]) => /^`[^<`]+`$/.test(byDefault) && byDefault !== '`CDN_URL`',
    );
    const relative = (name: string, value: string) =>
      name === 'DATA_DIR' ? `./${value.split('/').at(-1)}` : value;
    expect(literal.length).toBeGreaterThan(5);
    for (const [name, byDefault] of literal) {
      expect(`${name} \`${relative(name, environment[name] ?? '')}\``).toBe(`${name} ${byDefault}`);
    }
  });

  it('describes how the public URLs are derived', () => {
    expect(rows.get('UPLOAD_URL')).toBe('`CDN_URL`');
    expect(operator.uploadUrl).toBe(operator.cdnUrl);
    expect(operator.baseUrl).toBe(`http://localhost:${operator.port}`);
    expect(operator.cdnUrl).toBe(`http://localhost:${operator.mediaPort}`);
    expect(operator.rtmpUrl).toBe(`rtmp://localhost:${operator.rtmpPort}/live`);
  });
});
