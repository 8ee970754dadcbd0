import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { detailOf, statusOf } from './target-text';

const t = englishMessages('targets.targetTexts');
const createStatus = (change: Partial<TargetStatus>): TargetStatus => ({
  id: 'x',
  name: 'x',
  profile: 'source',
  videoOnly: false,
  disabled: false,
  since: 1,
  state: 'disconnected',
  uptime: 0,
  bitrate: 0,
  reached: null,
  lastTest: null,
  lastError: null,
  ...change,
});
const lastError = { message: 'the target closed the connection', at: 1 };

test.each<[Partial<TargetStatus>, string, string]>([
  [{}, 'Not sending', ''],
  [{ disabled: true }, 'Disabled', ''],
  [{ disabled: true, state: 'connected', uptime: 5 }, 'Live', '5 s'],
  [{ state: 'connected', uptime: 65, bitrate: 2_940_000 }, 'Live', '1 min 05 s · 2.9 Mbit/s'],
  [{ state: 'connected', uptime: 65, lastError }, 'Live', '1 min 05 s'],
  [{ state: 'error', lastError }, 'Failed', 'The target closed the connection.'],
  [{ state: 'connecting' }, 'Connecting', ''],
  [{ state: 'waiting', lastError }, 'Waiting', 'Starts when video arrives.'],
])('a target with %j is shown as “%s” with the detail “%s”', (change, label, detail) => {
  expect(statusOf(t, createStatus(change)).label).toBe(label);
  expect(detailOf(t, createStatus(change), 'en', untranslated)).toBe(detail);
});
