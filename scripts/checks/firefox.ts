import { installedPath } from './chromium';

/** Path of Firefox for its browser tests, which are optional; empty if it is not installed. */
export const findFirefox = (): string =>
  process.env.FIREFOX_PATH ?? installedPath(['firefox-esr', 'firefox']) ?? '';
