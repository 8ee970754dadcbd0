import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tokenSnippets } from '@/components/access/token-snippets';
import { jwtProbe, systemPython } from './checks/test-packages';

const folder = mkdtempSync(join(tmpdir(), 'token-snippets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const playbackId = 'f3a1h2v9c8x7m6n5';
const keyPair = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const publicKey = Buffer.from(keyPair.publicKey).toString('base64');
const env = {
  ...process.env,
  HEADWATER_PUBLIC_KEY: publicKey,
  HEADWATER_PRIVATE_KEY: Buffer.from(keyPair.privateKey).toString('base64'),
};

interface Program {
  readonly file: string;
  readonly text: (code: string) => string;
  readonly run: readonly [program: string, ...args: string[]];
  /** Used if the first program lacks the required packages. */
  readonly otherProgram?: string;
  /** Arguments with which the program succeeds if it can run the snippet. */
  readonly probe: readonly string[];
}

/** Programs that print a token which is valid for a minute. */
const programs: Readonly<Record<(typeof tokenSnippets)[number]['value'], Program>> = {
  node: {
    file: 'token.mjs',
    text: (code) => `${code}\nconsole.log(playbackToken('${playbackId}', 60));\n`,
    run: ['node'],
    probe: ['--version'],
  },
  python: {
    file: 'token_snippet.py',
    text: (code) => `${code}\nprint(playback_token("${playbackId}", 60))\n`,
    run: ['python3'],
    otherProgram: systemPython,
    probe: jwtProbe,
  },
  go: {
    file: 'token.go',
    text: (code) =>
      `${code.replace('package playback', 'package main').replace('import (', 'import (\n\t"fmt"')}
func main() {
	token, err := PlaybackToken("${playbackId}", time.Minute)
	if err != nil { panic(err) }
	fmt.Println(token)
}
`,
    run: ['go', 'run'],
    probe: ['version'],
  },
  php: {
    file: 'token.php',
    // Repeats signing, because values that start with a zero byte, whose DER form is shorter, occur in one of 128
    // signatures.
    text: (code) =>
      `${code}\nfor ($i = 0; $i < 300; $i++) echo playback_token('${playbackId}', 60), "\\n";\n`,
    run: ['php'],
    probe: ['-r', "exit(extension_loaded('openssl') ? 0 : 1);"],
  },
};

for (const { value, label, code } of tokenSnippets) {
  const { file, text, run, probe, otherProgram = run[0] } = programs[value];
  const [firstProgram, ...args] = run;
  const program = [firstProgram, otherProgram].find((path) => spawnSync(path, [...probe]).status === 0) ?? '';
  const isInstalled = program !== '';
  const skipNote = isInstalled ? '' : ' (skipped: not installed)';
  test.skipIf(!isInstalled)(`${label} signs a token${skipNote}`, () => {
    writeFileSync(join(folder, file), text(code));
    const { stdout, stderr } = spawnSync(program, [...args, join(folder, file)], { env, encoding: 'utf8' });
    const tokens = stdout.trim().split('\n');
    for (const token of tokens) {
      expect(token, stderr).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
      expect(readToken(token)).toEqual({
        header: { alg: 'ES256', typ: 'JWT' },
        isValid: true,
        claims: {
          action: 'pull',
          iss: 'my-site',
          pub: publicKey,
          sub: playbackId,
          video: 'none',
          iat: expect.any(Number) as number,
          exp: expect.any(Number) as number,
        },
      });
    }
  });
}

function readToken(token: string) {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const key = { key: keyPair.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const readPart = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return {
    header: readPart(header),
    claims: readPart(claims),
    isValid: verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')),
  };
}
