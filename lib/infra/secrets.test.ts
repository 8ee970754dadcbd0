import { describe, expect, test } from 'vitest';
import { createSecrets, type SecretOwner } from './secrets';

const secrets = createSecrets('a'.repeat(32));
const owner: SecretOwner = { kind: 'api-key', id: 'k1', teamId: 'u1' };

describe('seal and open', () => {
  test('give the secret back to its owner', () => {
    expect(secrets.open(owner, secrets.seal(owner, 'lsk_ünïcode'))).toBe('lsk_ünïcode');
  });

  test('never give the same bytes twice', () => {
    expect(secrets.seal(owner, 'x').equals(secrets.seal(owner, 'x'))).toBe(false);
  });

  test.each([
    ['another account', { ...owner, teamId: 'u2' }],
    ['another object', { ...owner, id: 'k2' }],
    ['another kind', { ...owner, kind: 'stream-key' as const }],
  ])('refuse %s', (_, stranger) => {
    const sealed = secrets.seal(owner, 'x');
    expect(() => secrets.open(stranger, sealed)).toThrow();
  });

  test('refuse changed bytes and another APP_SECRET', () => {
    const sealed = secrets.seal(owner, 'secret');
    const last = sealed.length - 1;
    const changed = Buffer.from(sealed);
    changed[last] = (changed[last] ?? 0) ^ 1;
    expect(() => secrets.open(owner, changed)).toThrow();
    expect(() => createSecrets('b'.repeat(32)).open(owner, sealed)).toThrow();
    expect(() => secrets.open(owner, Buffer.from([9, 1, 2]))).toThrow('unknown format');
  });
});

describe('fingerprint', () => {
  test('is stable, and differs by kind and by APP_SECRET', () => {
    const print = secrets.fingerprint('api-key', 'x');
    expect(secrets.fingerprint('api-key', 'x').equals(print)).toBe(true);
    expect(secrets.fingerprint('stream-key', 'x').equals(print)).toBe(false);
    expect(createSecrets('b'.repeat(32)).fingerprint('api-key', 'x').equals(print)).toBe(false);
  });
});
