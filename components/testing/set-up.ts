import { configure } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeEach, vi } from 'vitest';

/** Long enough for a busy machine. It delays only tests that fail: a query ends as soon as its element exists. */
configure({ asyncUtilTimeout: 120_000 });

/** happy-dom has no layout and draws nothing: charts get a canvas that accepts every call. */
const fakeCanvasContext: unknown = new Proxy(
  {},
  {
    get: (_target, name) => (name === 'measureText' ? () => ({ width: 0 }) : () => undefined),
    set: () => true,
  },
);
HTMLCanvasElement.prototype.getContext = (() => fakeCanvasContext) as never;

/** A secure context like localhost, in which the clipboard is available. */
Object.defineProperty(window, 'isSecureContext', { value: true });

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  window.localStorage.clear();
  vi.stubGlobal(
    'Path2D',
    class {
      readonly rect = () => undefined;
      readonly lineTo = () => undefined;
      readonly moveTo = () => undefined;
      readonly arc = () => undefined;
      readonly closePath = () => undefined;
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  // Toasts that are not dismissed would be shown on the page of the next test.
  toast.dismiss();
});
