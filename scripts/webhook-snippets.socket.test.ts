import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { newWebhookSecret } from '@/lib/infra/ids';
import { signatureHeaders } from '@/lib/domain/webhooks/sign-delivery';

const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function snippet(language: string): string {
  const [, code = ''] =
    new RegExp(`<!-- verify:${language} -->\\n\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(document) ?? [];
  expect(code).not.toBe('');
  return code;
}

const isProgramInstalled = (program: string) =>
  spawnSync(program, ['--version']).status === 0 || spawnSync(program, ['version']).status === 0;

interface Delivery {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const body = JSON.stringify({ id: 'e1', name: 'Übertragung 🎥' });
const [secret, previousSecret] = [newWebhookSecret(), newWebhookSecret()];
const signedDelivery = (timestamp: number): Delivery => ({
  secret,
  body,
  headers: signatureHeaders({ id: 'e1', timestamp, body, secrets: [secret, previousSecret] }),
});
const validDelivery = signedDelivery(Date.now());

/** Deliveries and whether a receiver must accept them. */
const cases: readonly (readonly [name: string, delivery: Delivery, isAccepted: boolean])[] = [
  ['accepts a delivery', validDelivery, true],
  [
    'accepts a delivery signed during a roll, checked with the previous secret',
    { ...validDelivery, secret: previousSecret },
    true,
  ],
  ['rejects a delivery with a changed body', { ...validDelivery, body: body.replace('e1', 'e2') }, false],
  ['rejects a delivery that another secret signed', { ...validDelivery, secret: newWebhookSecret() }, false],
  ['rejects an old delivery', signedDelivery(Date.now() - 301_000), false],
];

/** Programs that read a delivery from a file and exit with 0 if they accept it. */
const programs: Readonly<Record<string, (code: string) => { file: string; text: string; run: string[] }>> = {
  python: (code) => ({
    file: 'verify.py',
    text: `${code}\nimport sys\nd = json.load(open(sys.argv[1]))\nassert verify(d["secret"], d["headers"], d["body"].encode())["id"] == "e1"\n`,
    run: ['python3'],
  }),
  php: (code) => ({
    file: 'verify.php',
    text: `${code}\n$d = json_decode(file_get_contents($argv[1]), true);\nexit(verify($d['secret'], $d['headers'], $d['body'])['id'] === 'e1' ? 0 : 1);\n`,
    run: ['php'],
  }),
  go: (code) => ({
    file: 'verify.go',
    text: `${code.replace('package webhook', 'package main').replace('import (', 'import (\n\t"encoding/json"\n\t"os"')}
func main() {
	text, _ := os.ReadFile(os.Args[1])
	var d struct { Secret, Body string; Headers map[string]string }
	if json.Unmarshal(text, &d) != nil { os.Exit(2) }
	header := http.Header{}
	for name, value := range d.Headers { header.Set(name, value) }
	if Verify(d.Secret, header, []byte(d.Body)) != nil { os.Exit(1) }
}
`,
    run: ['go', 'run'],
  }),
};

describe('Node', () => {
  test.each(cases)('%s', async (_name, { secret: key, headers, body: text }, isAccepted) => {
    const file = join(folder, 'verify.mjs');
    writeFileSync(file, snippet('node'));
    const { verify } = (await import(file)) as { verify: (...args: unknown[]) => unknown };
    const verifyWithSnippet = () => verify(key, headers, text);
    const verifyWithLibrary = () => new Webhook(key).verify(text, headers);
    if (isAccepted) expect(verifyWithSnippet()).toEqual(verifyWithLibrary());
    else for (const check of [verifyWithSnippet, verifyWithLibrary]) expect(check).toThrow();
  });
});

describe.each(Object.entries(programs))('%s', (language, programOf) => {
  const { file, text, run } = programOf(snippet(language));
  const [program = '', ...args] = run;
  const isInstalled = isProgramInstalled(program);
  const skipNote = isInstalled ? '' : ` (skipped: ${program} is not installed)`;
  test.skipIf(!isInstalled).each(cases)(`%s${skipNote}`, (_name, delivery, isAccepted) => {
    writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'delivery.json'), JSON.stringify(delivery));
    const { status } = spawnSync(program, [...args, join(folder, file), join(folder, 'delivery.json')]);
    expect(status === 0).toBe(isAccepted);
  });
});
