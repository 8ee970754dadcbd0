import { afterEach, expect, test, vi } from 'vitest';
import { offerPasskeys } from './sign-in';

afterEach(() => {
  vi.doUnmock('@simplewebauthn/browser');
});

test('an offer of passkeys whose code does not load ends silently', async () => {
  vi.doMock('@simplewebauthn/browser', () => {
    throw new Error('no connection');
  });
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const end = offerPasskeys(() => undefined);
  await vi.dynamicImportSettled();
  end();
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
