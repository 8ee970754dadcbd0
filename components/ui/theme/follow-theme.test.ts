import { afterEach, describe, expect, test, vi } from 'vitest';
import { followTheme } from './follow-theme';

/**
 * A fake page with classes, system theme and stored choice.
 * @returns the classes, and a function that changes the system theme
 */
function createFakePage(systemIsDark: boolean, storedTheme: string | null | Error) {
  const classes = new Set<string>();
  const system: { matches: boolean; changed: () => void } = {
    matches: systemIsDark,
    changed: () => undefined,
  };
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return system.matches;
    },
    addEventListener: (_name: 'change', listener: () => void) => (system.changed = listener),
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
  ] as const)('system dark: %s, chosen: %s', (systemIsDark, storedTheme, shownTheme) => {
    const { classes } = createFakePage(systemIsDark, storedTheme);
    followTheme();
    expect([...classes]).toEqual([shownTheme]);
  });

  test('follows changes of the system theme', () => {
    const { classes, system } = createFakePage(false, null);
    followTheme();
    system.matches = true;
    system.changed();
    expect([...classes]).toEqual(['dark']);
  });

  test('works as an inline script', () => {
    const { classes } = createFakePage(true, null);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- what the page does
    new Function(`(${followTheme.toString()})()`)();
    expect([...classes]).toEqual(['dark']);
  });
});
