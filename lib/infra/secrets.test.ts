import { describe, expect, test } from 'vitest';
import { createSecrets, type SecretContext } from './secrets';
import { readSignedToken, createSignedToken } from './signed-token';

const secrets = createSecrets('a'.repeat(32));
const context: SecretContext = { kind: 'api-key', id: 'k1', teamId: 'u1' };

describe('seal and open', () => {
  test('return the secret with the same context', () => {
    expect(secrets.open(context, secrets.seal(context, 'lsk_ünïcode'))).toBe('lsk_ünïcode');
  });

  test('seal the same secret to different bytes each time', () => {
    expect(secrets.seal(context, 'x').equals(secrets.seal(context, 'x'))).toBe(false);
  });

  test.each([
    ['another team', { ...context, teamId: 'u2' }],
    ['another object', { ...context, id: 'k2' }],
    ['another kind', { ...context, kind: 'stream-key' as const }],
  ])('reject another context: %s', (_, otherContext) => {
    const sealed = secrets.seal(context, 'x');
    expect(() => secrets.open(otherContext, sealed)).toThrow();
  });

  test('reject changed bytes, another APP_SECRET and an unknown format version', () => {
    const sealed = secrets.seal(context, 'secret');
    const lastIndex = sealed.length - 1;
    const changedBytes = Buffer.from(sealed);
    changedBytes[lastIndex] = (changedBytes[lastIndex] ?? 0) ^ 1;
    expect(() => secrets.open(context, changedBytes)).toThrow();
    expect(() => createSecrets('b'.repeat(32)).open(context, sealed)).toThrow();
    expect(() => secrets.open(context, Buffer.from([9, 1, 2]))).toThrow('unknown format');
  });
});

describe('fingerprint', () => {
  test('is the same for the same secret, and differs by kind and by APP_SECRET', () => {
    const fingerprint = secrets.fingerprint('api-key', 'x');
    expect(secrets.fingerprint('api-key', 'x').equals(fingerprint)).toBe(true);
    expect(secrets.fingerprint('stream-key', 'x').equals(fingerprint)).toBe(false);
    expect(createSecrets('b'.repeat(32)).fingerprint('api-key', 'x').equals(fingerprint)).toBe(false);
  });
});

describe('sign and verify', () => {
  const signature = secrets.sign('a', 'text');

  test('a signature is valid for its purpose and content only', () => {
    expect(signature).toHaveLength(32);
    expect(secrets.verify('a', Buffer.from('text'), signature)).toBe(true);
    expect(secrets.verify('b', 'text', signature)).toBe(false);
    expect(secrets.verify('a', 'texts', signature)).toBe(false);
    expect(createSecrets('b'.repeat(32)).verify('a', 'text', signature)).toBe(false);
  });

  // 16 of the 32 bytes, which are 22 base64url characters.
  test('a signature may be truncated, but only to the expected length', () => {
    const text = signature.toString('base64url');
    expect(secrets.verify('a', 'text', text)).toBe(true);
    expect(secrets.verify('a', 'text', text.slice(0, 22), 22)).toBe(true);
    expect(secrets.verify('a', 'text', signature.subarray(0, 16), 16)).toBe(true);
    for (const otherText of ['', text.slice(0, 21), text])
      expect(secrets.verify('a', 'text', otherText, 22)).toBe(false);
    for (const length of [0, 15, 32])
      expect(secrets.verify('a', 'text', signature.subarray(0, length), 16)).toBe(false);
  });

  test('signed tokens are read back, with or without dots', () => {
    for (const text of ['claims', 'a.b..c', '']) {
      const token = createSignedToken(secrets, 'a', text);
      expect(readSignedToken(secrets, 'a', token)).toBe(text);
      expect(readSignedToken(secrets, 'b', token)).toBeNull();
      expect(readSignedToken(secrets, 'a', `x${token}`)).toBeNull();
      expect(readSignedToken(secrets, 'a', token.slice(0, -1))).toBeNull();
    }
    for (const other of ['', '.', 'text']) expect(readSignedToken(secrets, 'a', other)).toBeNull();
  });
});
