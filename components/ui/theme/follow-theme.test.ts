import { afterEach, describe, expect, test, vi } from 'vitest';
import { followTheme } from './follow-theme';

/**
 * A fake page.
 * @param storedTheme choice of the dashboard; null = none; an error = the storage is blocked
 * @returns the classes of <html>, and the system theme, of which `notify` reports a change
 */
function createFakePage(systemIsDark: boolean, storedTheme: string | null | Error) {
  const classes = new Set<string>();
  const system: { isDark: boolean; notify: () => void } = {
    isDark: systemIsDark,
    notify: () => undefined,
  };
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return system.isDark;
    },
    addEventListener: (_name: 'change', listener: () => void) => (system.notify = listener),
  }));
  vi.stubGlobal('localStorage', {
    getItem: () => {
      if (storedTheme instanceof Error) throw storedTheme;
      return storedTheme;
    },
  });
  const toggle = (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name));
  vi.stubGlobal('document', { documentElement: { classList: { toggle } } });
  return { classes, system };
}

afterEach(() => vi.unstubAllGlobals());

describe('the theme before the first paint', () => {
  test.each([
    [true, null, 'dark'],
    [false, null, 'light'],
    [true, 'system', 'dark'],
    [false, 'dark', 'dark'],
    [true, 'light', 'light'],
    [true, new Error('no storage in this frame'), 'dark'],
  ] as const)(
    'with systemIsDark = %s and the stored choice %s is %s',
    (systemIsDark, storedTheme, shownTheme) => {
      const { classes } = createFakePage(systemIsDark, storedTheme);
      followTheme();
      expect([...classes]).toEqual([shownTheme]);
    },
  );

  test('follows changes of the system theme', () => {
    const { classes, system } = createFakePage(false, null);
    followTheme();
    system.isDark = true;
    system.notify();
    expect([...classes]).toEqual(['dark']);
  });

  test('works as an inline script', () => {
    const { classes } = createFakePage(true, null);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- what the page does
    new Function(`(${followTheme.toString()})()`)();
    expect([...classes]).toEqual(['dark']);
  });
});
