import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { disabledReasonText, formatUntil, webhookStatus } from './webhook-table';

const t = englishMessages('webhooks.webhookTexts');
const webhook: Webhook = {
  id: 'w',
  kind: 'webhook',
  userId: 'u',
  name: 'Bot',
  url: 'https://example.com',
  events: ['stream.started'],
  createdAt: 1,
  disabled: false,
};
const createFailure = (timestamp: number) => ({ timestamp, error: 'the receiver answered 500' });

describe('a webhook', () => {
  test.each<[Partial<Webhook>, string]>([
    [{}, 'Waiting'],
    [{ status: { lastTriggeredAt: 9_000 } }, 'Delivering'],
    // The last failure counts as the last attempt if it is at most 1 s older.
    [{ status: { lastTriggeredAt: 9_000, lastFailure: createFailure(8_999) } }, 'Failing'],
    [{ status: { lastTriggeredAt: 90_000, lastFailure: createFailure(9_000) } }, 'Delivering'],
    [{ disabled: true }, 'Disabled'],
    [{ disabled: true, disabledReason: 'gone' }, 'Disabled'],
  ])('with %j is shown as %s', (change, label) => {
    expect(webhookStatus(t, { ...webhook, ...change }).label).toBe(label);
  });

  test('has a reason only if the service disabled it', () => {
    expect(disabledReasonText(t, webhook)).toBeNull();
    expect(disabledReasonText(t, { ...webhook, disabled: true })).toBeNull();
    expect(disabledReasonText(t, { ...webhook, disabled: true, disabledReason: 'gone' })).toContain('410');
    expect(disabledReasonText(t, { ...webhook, disabled: true, disabledReason: 'failing' })).toContain(
      'three days',
    );
  });
});

test.each([
  [0, 'now'],
  [-5_000, 'now'],
  [12_400, 'in 12 s'],
  [89_000, 'in 89 s'],
  [240_000, 'in 4 min'],
])('a time in %s ms is formatted as "%s"', (remainingMs, text) => {
  const now = 1_000_000;
  expect(formatUntil(t, now + remainingMs, now)).toBe(text);
});
