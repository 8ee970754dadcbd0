import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { offerPasskeys, signInWithPasskey } from './sign-in';

const webAuthnModule = '@simplewebauthn/browser';
const createNamedError = (name: string) => Object.assign(new Error(name), { name });

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
});
afterEach(() => {
  vi.doUnmock(webAuthnModule);
  vi.unstubAllGlobals();
});

test('an offer of passkeys whose code does not load ends silently', async () => {
  vi.doMock(webAuthnModule, () => {
    throw new Error('no connection');
  });
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const endOffer = offerPasskeys(() => undefined);
  await vi.dynamicImportSettled();
  endOffer();
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test.each([
  ['NotAllowedError', 'cancelled'],
  ['AbortError', 'cancelled'],
  ['SecurityError', 'unavailable'],
])('a passkey dialog that ends with %s is %s', async (name, outcome) => {
  vi.doMock(webAuthnModule, () => ({ startAuthentication: () => Promise.reject(createNamedError(name)) }));
  expect(await signInWithPasskey({})).toBe(outcome);
});

test('code for passkeys that cannot be loaded is reported, and not taken for a cancellation', async () => {
  vi.doMock(webAuthnModule, () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  expect(await signInWithPasskey({})).toBe('unreachable');
});
