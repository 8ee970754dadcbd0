import { describe, expect, it } from 'vitest';
import { decideTakeover, TAKEOVER_SILENCE_MS } from './publish-takeover';

describe('decideTakeover', () => {
  it.each([
    ['nobody publishes', null, 'admit'],
    ['media came just now', 0, 'refuse'],
    ['media came within three seconds', TAKEOVER_SILENCE_MS - 1, 'refuse'],
    ['silent for three seconds', TAKEOVER_SILENCE_MS, 'replace'],
    ['silent for long', 60_000, 'replace'],
  ])('%s', (_name, silentForMs, decision) => {
    expect(decideTakeover(silentForMs)).toBe(decision);
  });
});
